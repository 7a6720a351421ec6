import {
  type Capability,
  type CapabilityNews,
  type CapabilityStatus,
  type CapabilityStore,
  type CapabilityVersion,
  type Logger,
  PmlError,
  type UseStatistics,
} from '../core/index.js';
import { CapabilitySaver } from './capability-saver.js';
import { dependantsOf, lackOf } from './contained.js';
import { Shelf } from './shelf.js';
import { countUse, type Use, withVersion } from './take-use.js';

export interface CapabilitiesChange {
  readonly changed: readonly Capability[];
  /** Names. */
  readonly removed: readonly string[];
}

/** All capabilities. A change is in memory at once, notifies listeners, and is written later. */
export class Book {
  readonly #shelf = new Shelf();
  readonly #saver: CapabilitySaver;
  readonly #listeners = new Set<(change: CapabilitiesChange) => void>();

  constructor(log: Logger) {
    const read = (name: string) => {
      const capability = this.#shelf.find(name);
      return capability?.name === name ? capability : undefined;
    };
    this.#saver = new CapabilitySaver({ log, read });
  }

  /** Replaces the capabilities in memory with the stored ones. */
  attach(store: CapabilityStore, stored: readonly Capability[]): void {
    const names = this.all().map(({ name }) => name);
    for (const name of names) this.#shelf.delete(name);
    for (const capability of stored) this.#shelf.put(capability);
    this.#saver.attach(store, stored);
    const removed = names.filter((name) => this.find(name)?.name !== name);
    this.#emit({ changed: stored, removed });
  }

  all(): readonly Capability[] {
    return this.#shelf.all();
  }

  readonly find = (name: string): Capability | undefined => this.#shelf.find(name);

  withIdentity(identity: string): Capability | undefined {
    return this.#shelf.withIdentity(identity);
  }

  get(name: string): Capability {
    const capability = this.find(name);
    if (capability) return capability;
    throw new PmlError('TOOL_UNKNOWN', `There is no capability ${JSON.stringify(name)}`);
  }

  dependantsOf(name: string): readonly Capability[] {
    return dependantsOf(this.get(name), this.all(), this.find);
  }

  /** Active, unless something it calls is missing. */
  healthOf(capability: Capability): CapabilityStatus {
    return lackOf(capability, this.find) ?? { status: 'active' };
  }

  put(capability: Capability): Capability {
    this.putAll([capability]);
    return capability;
  }

  putAll(capabilities: readonly Capability[]): void {
    if (capabilities.length === 0) return;
    for (const capability of capabilities) {
      this.#shelf.put(capability);
      this.#saver.changed(capability.name);
    }
    this.#emit({ changed: capabilities, removed: [] });
  }

  remove(name: string): void {
    this.#shelf.delete(name);
    this.#saver.removed(name);
    this.#emit({ changed: [], removed: [name] });
  }

  /** Applies changes of other gateways; skips names with pending changes here and returns them. */
  follow({ written, removed }: CapabilityNews): ReadonlySet<string> {
    const names = [...removed, ...written.map(({ name }) => name)];
    const pending = new Set(names.filter((name) => this.#saver.isPending(name)));
    const gone = removed.filter((name) => !pending.has(name));
    const changed = written.filter(({ name }) => !pending.has(name));
    for (const name of gone) {
      this.#shelf.delete(name);
      this.#saver.lost(name);
    }
    for (const capability of changed) {
      this.#shelf.put(capability);
      this.#saver.found(capability);
    }
    if (gone.length + changed.length > 0) this.#emit({ changed, removed: gone });
    return pending;
  }

  /** Versions that are no longer kept under a name. */
  forget(capability: string, versions: readonly CapabilityVersion[]): void {
    for (const { identity } of versions) this.#saver.forgot({ capability, identity });
  }

  count(capability: Capability, version: CapabilityVersion, use: Use): Capability {
    const statistics = countUse(version.statistics, use);
    const counted = withVersion(capability, { ...version, statistics });
    const { ok, ms, at } = use;
    const once = { uses: 1, successes: ok ? 1 : 0, totalMs: ms, lastUsed: at };
    return this.tell(counted, version.identity, {
      ...once,
      failuresInRow: statistics.failuresInRow,
    });
  }

  /** Puts a capability whose statistics count more uses than before. */
  tell(capability: Capability, identity: string, more: UseStatistics): Capability {
    this.#shelf.put(capability);
    const { lastUsed = capability.current.provenance.at, ...counts } = more;
    this.#saver.used({ capability: capability.name, identity, lastUsed, ...counts });
    this.#emit({ changed: [capability], removed: [] });
    return capability;
  }

  /** Updates the state of capabilities after one they call was removed or restored. */
  reconsider(names: readonly string[]): void {
    const changed = names.flatMap((name) => {
      const capability = this.find(name);
      if (!capability) return [];
      const { state } = capability;
      const isOurs = state.status === 'quarantined' && state.cause === 'contained';
      if (state.status !== 'active' && !isOurs) return [];
      const next = this.healthOf(capability);
      return next.status === state.status ? [] : [{ ...capability, state: next }];
    });
    this.putAll(changed);
  }

  onChange(listener: (change: CapabilitiesChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether a change of this name is not in the store yet. */
  isPending(name: string): boolean {
    return this.#saver.isPending(name);
  }

  settled(): Promise<void> {
    return this.#saver.settled();
  }

  #emit(change: CapabilitiesChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}
