import {
  type ExecutionTrace,
  type ExperienceStore,
  messageOf,
  type Principal,
} from '../../core/index.js';
import { RequestMemory } from '../../ranking/index.js';
import { Experience, type ExperienceOptions } from './experience.js';

/** What one named client did counts less often than what the user did. */
const MOST_OF_ONE = 2_000;
/** Clients whose memory is held at a time; the store has all of them. */
const MOST_CLIENTS = 50;

type Shared = Pick<ExperienceOptions, 'log' | 'graphOf' | 'keepable' | 'onAdded'>;

/** The memories of named clients, each apart from all others. */
export class OwnedPasts {
  readonly #shared: Shared;
  readonly #all = new Map<Principal, Experience>();
  #store: ExperienceStore | undefined;

  constructor(shared: Shared) {
    this.#shared = shared;
  }

  /** From now on executions are stored, and memories begin with what is stored. */
  async attach(store: ExperienceStore): Promise<void> {
    this.#store = store;
    await Promise.all(Array.from(this.#all.values(), (one) => one.attach(store)));
  }

  /** The memory of a client; `onTaken` hears of what is taken into it, what is stored included. */
  of(owner: Principal, onTaken: (traces: readonly ExecutionTrace[]) => void): Experience {
    const known = this.#all.get(owner);
    if (known) return known;
    const past = new Experience({
      ...this.#shared,
      owner,
      capacity: MOST_OF_ONE,
      requests: new RequestMemory({ capacity: MOST_OF_ONE }),
      onTaken: async (traces) => onTaken(traces),
      onGrown: () => {},
    });
    this.#all.set(owner, past);
    if (this.#store) this.#attach(past, this.#store);
    return past;
  }

  /** Lets go of the memories that were made first; returns whose they were. */
  evict(): readonly Principal[] {
    const gone = [...this.#all.keys()].slice(0, Math.max(0, this.#all.size - MOST_CLIENTS));
    for (const owner of gone) {
      void this.#all.get(owner)?.close();
      this.#all.delete(owner);
    }
    return gone;
  }

  async recall(id: string): Promise<ExecutionTrace | undefined> {
    for (const past of this.#all.values()) {
      const found = await past.recall(id);
      if (found) return found;
    }
    return undefined;
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#all.values(), (one) => one.close()));
  }

  #attach(past: Experience, store: ExperienceStore): void {
    past
      .attach(store)
      .catch((error: unknown) =>
        this.#shared.log.warn('memory of a client not loaded', { error: messageOf(error) }),
      );
  }
}
