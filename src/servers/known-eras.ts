import type { ProtocolEra } from '../core/index.js';
import type { Greeting } from './connection/handshake.js';

/** Which generations of the protocol a server speaks, as far as we know. */
export class KnownEras {
  readonly #remembered: () => readonly ProtocolEra[] | undefined;
  #eras: readonly ProtocolEra[] | undefined;
  #isWrong = false;

  /** `remembered` is asked late: what earlier days taught comes in with the store. */
  constructor(remembered: () => readonly ProtocolEra[] | undefined) {
    this.#remembered = remembered;
  }

  /** Undefined until the server has been asked, or is remembered. */
  get all(): readonly ProtocolEra[] | undefined {
    if (!this.#isWrong) this.#eras ??= this.#remembered();
    return this.#eras;
  }

  learn({ era, eras }: Greeting): void {
    if (eras) this.#eras = eras;
    this.#eras ??= [era];
  }

  /** What we believed did not hold: the next start asks the server again. */
  forget(): void {
    this.#eras = undefined;
    this.#isWrong = true;
  }

  /** The wanted one where the server speaks it, else the one it does. */
  choose(wanted: ProtocolEra): ProtocolEra {
    const known = this.all;
    return !known || known.includes(wanted) ? wanted : (known[0] ?? 'legacy');
  }
}
