import {
  type Capability,
  type CapabilityStore,
  type CapabilityUpdate,
  type CapabilityUse,
  type Logger,
  messageOf,
} from '../core/index.js';

interface SaverOptions {
  readonly log: Logger;
  /** The current capability of a name; undefined if it is gone. */
  readonly read: (name: string) => Capability | undefined;
}

type Forgotten = CapabilityUpdate['forget'][number];

/**
 * Write-behind: writes each changed capability in its latest state, and retries failed writes with
 * the next change. Callers do not wait.
 */
export class CapabilitySaver {
  readonly #options: SaverOptions;
  #store: CapabilityStore | undefined;
  /** Stored versions by name: the store adds uses to their statistics. */
  readonly #stored = new Map<string, Set<string>>();
  readonly #changed = new Set<string>();
  readonly #removed = new Set<string>();
  #forgotten: readonly Forgotten[] = [];
  readonly #uses = new Map<string, CapabilityUse>();
  /** The write in progress. */
  #underWay: CapabilityUpdate | undefined;
  #writing: Promise<void> | undefined;

  constructor(options: SaverOptions) {
    this.#options = options;
  }

  attach(store: CapabilityStore, stored: readonly Capability[]): void {
    this.#store = store;
    for (const capability of stored) this.#remember(capability);
  }

  /** Whether a change of this name is not in the store yet. */
  isPending(name: string): boolean {
    const { write = [], remove = [] } = this.#underWay ?? {};
    return (
      this.#changed.has(name) ||
      this.#removed.has(name) ||
      remove.includes(name) ||
      write.some((capability) => capability.name === name)
    );
  }

  /** Another gateway stored this state. */
  found(capability: Capability): void {
    this.#remember(capability);
  }

  /** Another gateway removed it from the store. */
  lost(name: string): void {
    this.#stored.delete(name);
    this.#dropUses();
  }

  changed(name: string): void {
    this.#changed.add(name);
    this.#write();
  }

  /** Also called for a name that another capability takes over. */
  removed(name: string): void {
    this.#removed.add(name);
    this.#stored.delete(name);
    this.#dropUses();
    this.#write();
  }

  forgot(version: Forgotten): void {
    this.#forgotten = [...this.#forgotten, version];
    this.#write();
  }

  used(use: CapabilityUse): void {
    if (!this.#isStored(use)) return;
    const key = keyOf(use);
    const before = this.#uses.get(key);
    this.#uses.set(key, before ? added(before, use) : use);
    this.#write();
  }

  /** Resolves when all changes so far are in the store, or could not be written. */
  async settled(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  #write(): void {
    const store = this.#store;
    if (store) this.#writing ??= this.#writeAll(store).finally(() => (this.#writing = undefined));
  }

  async #writeAll(store: CapabilityStore): Promise<void> {
    // Simultaneous changes are written together.
    await Promise.resolve();
    while (this.#hasMore) {
      const update = this.#take();
      const before = new Map(this.#stored);
      for (const capability of update.write) this.#remember(capability);
      this.#underWay = update;
      try {
        await store.save(update);
      } catch (error) {
        for (const { name } of update.write) this.#restore(name, before);
        this.#giveBack(update);
        this.#dropUses();
        this.#options.log.error('capabilities not saved', { error: messageOf(error) });
        return;
      } finally {
        this.#underWay = undefined;
      }
    }
  }

  get #hasMore(): boolean {
    const { size } = this.#changed;
    return size + this.#removed.size + this.#uses.size + this.#forgotten.length > 0;
  }

  #isStored({ capability, identity }: CapabilityUse): boolean {
    return this.#stored.get(capability)?.has(identity) ?? false;
  }

  /** Versions that the store does not have yet are written with all their uses. */
  #dropUses(): void {
    for (const [key, use] of this.#uses) if (!this.#isStored(use)) this.#uses.delete(key);
  }

  #remember({ name, current, others }: Capability): void {
    this.#stored.set(name, new Set([current, ...others].map(({ identity }) => identity)));
  }

  #restore(name: string, before: ReadonlyMap<string, Set<string>>): void {
    const identities = before.get(name);
    if (identities) this.#stored.set(name, identities);
    else this.#stored.delete(name);
  }

  #take(): CapabilityUpdate {
    const update = {
      write: [...this.#changed].flatMap((name) => this.#options.read(name) ?? []),
      remove: [...this.#removed],
      forget: this.#forgotten,
      uses: [...this.#uses.values()],
    };
    this.#changed.clear();
    this.#removed.clear();
    this.#forgotten = [];
    this.#uses.clear();
    return update;
  }

  #giveBack({ write, remove, forget, uses }: CapabilityUpdate): void {
    for (const { name } of write) this.#changed.add(name);
    for (const name of remove) this.#removed.add(name);
    this.#forgotten = [...forget, ...this.#forgotten];
    for (const use of uses) {
      const key = keyOf(use);
      const later = this.#uses.get(key);
      this.#uses.set(key, later ? added(use, later) : use);
    }
  }
}

function added(before: CapabilityUse, later: CapabilityUse): CapabilityUse {
  return {
    ...later,
    uses: before.uses + later.uses,
    successes: before.successes + later.successes,
    totalMs: before.totalMs + later.totalMs,
  };
}

function keyOf({ capability, identity }: CapabilityUse): string {
  return `${capability} ${identity}`;
}
