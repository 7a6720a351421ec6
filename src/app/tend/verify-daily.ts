import { type Capability, type Logger, messageOf } from '../../core/index.js';
import { type Workflows, verifyCapability } from '../../workflows/index.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface DailyOptions {
  /** As the configuration says now. */
  readonly isWanted: () => boolean;
  readonly log: Logger;
  readonly now: () => number;
}

/** Proves again what can only read: one an hour, each once a day, when nothing else runs. */
export class DailyVerifier {
  readonly #workflows: Workflows;
  readonly #options: DailyOptions;
  /** When each was last tried; one that came to no run is not in its statistics. */
  readonly #tried = new Map<string, number>();

  constructor(workflows: Workflows, options: DailyOptions) {
    this.#workflows = workflows;
    this.#options = options;
  }

  /** Returns how to stop it. */
  start(): () => void {
    const timer = setInterval(() => {
      this.verifyOne().catch((error: unknown) =>
        this.#options.log.error('capability not verified', { error: messageOf(error) }),
      );
    }, HOUR_MS);
    timer.unref();
    return () => clearInterval(timer);
  }

  /** Tries the one that waits longest. */
  async verifyOne(): Promise<void> {
    const { runs, tools } = this.#workflows;
    if (!this.#options.isWanted() || runs.activeCount > 0) return;
    const due = tools.capabilities.list().filter((one) => this.#isDue(one));
    const [next] = due.toSorted((one, other) => this.#lastTry(one) - this.#lastTry(other));
    if (!next) return;
    this.#tried.set(next.name, this.#options.now());
    const { kind } = await verifyCapability(this.#workflows, next.name);
    this.#options.log.info('capability verified', { name: next.name, kind });
  }

  #isDue(capability: Capability): boolean {
    const { state } = capability;
    if (state.status !== 'quarantined' || state.cause === 'contained') return false;
    return this.#options.now() - this.#lastTry(capability) >= DAY_MS;
  }

  #lastTry({ name, current }: Capability): number {
    const used = current.statistics.lastUsed?.getTime() ?? 0;
    return Math.max(used, this.#tried.get(name) ?? 0);
  }
}
