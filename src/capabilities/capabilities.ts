import {
  type Capability,
  type CapabilityNews,
  type CapabilityStore,
  type CapabilityVersion,
  type JsonValue,
  type Logger,
  PmlError,
  type ToolId,
  type Mask,
} from '../core/index.js';
import { Book, type CapabilitiesChange } from './book.js';
import { checkName } from './capability-name.js';
import { allContained, closesCycle, containedReliability } from './contained.js';
import { deserves } from './deserves.js';
import {
  type CapabilityFile,
  readCapabilityFile,
  writeCapabilityFile,
} from './file/capability-file.js';
import { type Imported, planCapabilityImport } from './file/plan-import.js';
import { learn, type Learned } from './learn/learn.js';
import type { Proof } from './learn/read-proof.js';
import { checkLock, type DefinitionOf, type LockCheck, relocked } from './lock/check-lock.js';
import { mergeCapabilities, refuseMerge } from './merge-capabilities.js';
import { takeUp } from './take-up.js';
import { stateAfter, type Use } from './take-use.js';

export interface CapabilitiesOptions {
  readonly log: Logger;
  readonly now: () => Date;
  /** Hides what must not be kept, such as the secrets of the configuration. Default: nothing. */
  readonly mask?: Mask;
}

/**
 * All capabilities. It works before the store opens; if the store fails, changes may be lost at the
 * next start, but every answer still comes. Accepts former names; unknown ones are `TOOL_UNKNOWN`.
 */
export class Capabilities {
  readonly #now: () => Date;
  readonly #mask: Mask;
  readonly #book: Book;

  constructor({ log, now, mask = (text) => text }: CapabilitiesOptions) {
    this.#now = now;
    this.#mask = mask;
    this.#book = new Book(log);
  }

  /** Loads the stored capabilities, and stores those learned before the store opened. */
  async attach(store: CapabilityStore): Promise<void> {
    const stored = await store.load();
    const early = this.#book.all();
    this.#book.attach(store, stored);
    takeUp(this.#book, early);
  }

  /** Applies changes of other gateways; returns the names it skipped because they changed here. */
  follow(news: CapabilityNews): ReadonlySet<string> {
    return this.#book.follow(news);
  }

  list(): readonly Capability[] {
    return this.#book.all();
  }

  get(name: string): Capability | undefined {
    return this.#book.find(name);
  }

  /** All its versions, newest first. */
  history(name: string): readonly CapabilityVersion[] {
    const { current, others } = this.#book.get(name);
    return [current, ...others].toSorted((one, other) => other.version - one.version);
  }

  /** Capabilities worth offering to an agent that searches for what they do. */
  shown(): readonly Capability[] {
    const now = this.#now();
    return this.list().filter((capability) => {
      const { state, current, isPinned } = capability;
      if (state.status !== 'active') return false;
      const reliability = containedReliability(capability, this.#book.find);
      return deserves(current, { reliability, isPinned, now });
    });
  }

  /** The expected share of successful uses: the lowest of itself and of all it calls. */
  reliability(name: string): number {
    return containedReliability(this.#book.get(name), this.#book.find);
  }

  /** The tools it can call: its own and those of all it calls, sorted. */
  toolsOf(name: string): readonly ToolId[] {
    const { current } = this.#book.get(name);
    const contained = allContained(current.contains, this.#book.find);
    const tools = [current, ...contained.map((one) => one.current)].flatMap(
      ({ toolsUsed }) => toolsUsed,
    );
    return [...new Set(tools)].toSorted();
  }

  /** Capabilities whose code calls it. */
  dependantsOf(name: string): readonly Capability[] {
    return this.#book.dependantsOf(name);
  }

  /** Keeps what a run has proven, or says why it does not. */
  learn(proof: Omit<Proof, 'at'>): Learned {
    return learn(this.#book, { ...proof, at: this.#now() }, this.#mask);
  }

  /**
   * Counts one use. Failures in a row quarantine the capability; a success restores it, proven with
   * the current definitions if they are given.
   */
  used(name: string, use: Use, definitionOf?: DefinitionOf): Capability {
    const before = this.#book.get(name);
    const counted = this.#book.count(before, before.current, use);
    const state = stateAfter(counted, use);
    if (state === counted.state) return counted;
    if (state.status !== 'active') return this.#book.put({ ...counted, state });
    return this.#book.put(this.#trusted(counted, definitionOf));
  }

  /** Compares the tools that proved each capability with the current tools, as far as known. */
  checkLocks(
    definitionOf: DefinitionOf,
    isKnown: (tool: ToolId) => boolean = () => true,
  ): readonly LockCheck[] {
    const { find } = this.#book;
    const checked = this.list().map((one) => checkLock(one, { definitionOf, isKnown, find }));
    const told = checked.flatMap(({ capability, check }) => (check ? [{ capability, check }] : []));
    this.#book.putAll(told.map(({ capability }) => capability));
    return told.map(({ check }) => check);
  }

  /** The former name still works. */
  rename(name: string, to: string): Capability {
    const capability = this.#book.get(name);
    checkName(to);
    if (to === capability.name) return capability;
    const other = this.#book.find(to);
    if (other && other.name !== capability.name) {
      throw new PmlError('BAD_REQUEST', `The name ${to} belongs to ${other.name}`);
    }
    if (closesCycle(to, capability.current.contains, this.#book.find)) {
      throw new PmlError('BAD_REQUEST', `As ${to} it would come to call itself`);
    }
    const aliases = [...capability.aliases, capability.name].filter((alias) => alias !== to);
    this.#book.remove(capability.name);
    return this.#book.put({ ...capability, name: to, aliases });
  }

  /** Makes one part of another, which keeps its name, code and parameters. */
  merge(from: string, into: string): Capability {
    const [one, other] = [this.#book.get(from), this.#book.get(into)];
    const isInside = allContained(other.current.contains, this.#book.find).includes(one);
    const hasDependants = this.dependantsOf(one.name).length > 0;
    const reason = isInside
      ? `${other.name} calls it and would come to call itself`
      : refuseMerge(one, other, { hasDependants });
    if (reason !== undefined) {
      const message = `${one.name} cannot become part of ${other.name}: ${reason}`;
      throw new PmlError('BAD_REQUEST', message);
    }
    const merged = mergeCapabilities(one, other);
    this.#book.remove(one.name);
    const { failuresInRow } = other.current.statistics;
    this.#book.tell(merged, merged.current.identity, { ...one.current.statistics, failuresInRow });
    return this.#book.put(merged);
  }

  /** A pinned capability is offered whatever its statistics, and never replaced automatically. */
  pin(name: string, isPinned: boolean): Capability {
    return this.#book.put({ ...this.#book.get(name), isPinned });
  }

  /** Makes another version the one in use. */
  restore(name: string, version: number): Capability {
    const capability = this.#book.get(name);
    const versions = this.history(name);
    const current = versions.find((one) => one.version === version);
    if (!current) {
      throw new PmlError('BAD_REQUEST', `${capability.name} has no version ${version}`);
    }
    if (closesCycle(capability.name, current.contains, this.#book.find)) {
      throw new PmlError('BAD_REQUEST', `Version ${version} would come to call itself`);
    }
    const restored = { ...capability, current, others: versions.filter((one) => one !== current) };
    const isDisabled = capability.state.status === 'disabled';
    const state = isDisabled ? capability.state : this.#book.healthOf(restored);
    return this.#book.put({ ...restored, state });
  }

  /** Disables it. If forced, capabilities that call it are quarantined. */
  disable(
    name: string,
    { reason = 'disabled by the user', isForced = false }: DisableOptions = {},
  ): Capability {
    const capability = this.#book.get(name);
    const dependants = this.#dependantsToBreak(capability, isForced);
    const disabled = this.#book.put({ ...capability, state: { status: 'disabled', reason } });
    this.#book.reconsider(dependants);
    return disabled;
  }

  /** Enables it, trusting the current definitions if they are given. */
  enable(name: string, definitionOf?: DefinitionOf): Capability {
    const capability = this.#book.get(name);
    const { identity, statistics, provenance } = capability.current;
    const { lastUsed = provenance.at } = statistics;
    const current = { ...capability.current, statistics: { ...statistics, failuresInRow: 0 } };
    const enabled = this.#trusted({ ...capability, current }, definitionOf);
    const none = { uses: 0, successes: 0, totalMs: 0, failuresInRow: 0, lastUsed };
    this.#book.put(this.#book.tell(enabled, identity, none));
    this.#book.reconsider(this.dependantsOf(enabled.name).map((one) => one.name));
    return enabled;
  }

  /** Deletes it with all versions. If forced, capabilities that call it are quarantined. */
  remove(name: string, { isForced = false }: { readonly isForced?: boolean } = {}): void {
    const capability = this.#book.get(name);
    const dependants = this.#dependantsToBreak(capability, isForced);
    this.#book.remove(capability.name);
    this.#book.reconsider(dependants);
  }

  /** One with all it calls, or all there are, as a file for another machine. */
  export(name?: string): CapabilityFile {
    if (name === undefined) return writeCapabilityFile(this.list());
    const capability = this.#book.get(name);
    const contained = allContained(capability.current.contains, this.#book.find);
    return writeCapabilityFile([...contained, capability]);
  }

  /** Imports a file, each entry on its own. `checkLocks` compares its tools with the local ones. */
  import(file: JsonValue): readonly Imported[] {
    const { outcomes, put } = planCapabilityImport(readCapabilityFile(file), {
      known: this.list(),
      mask: this.#mask,
      now: this.#now(),
    });
    this.#book.putAll(put);
    return outcomes;
  }

  onChange(listener: (change: CapabilitiesChange) => void): () => void {
    return this.#book.onChange(listener);
  }

  /** Resolves when all changes so far are in the store, or could not be written. */
  settled(): Promise<void> {
    return this.#book.settled();
  }

  /** Resolves when the capability of this name is in the store, or could not be written. */
  async saved(name: string): Promise<void> {
    if (this.#book.isPending(name)) await this.#book.settled();
  }

  #trusted(capability: Capability, definitionOf: DefinitionOf | undefined): Capability {
    const { current } = capability;
    return {
      ...capability,
      state: this.#book.healthOf(capability),
      current: definitionOf ? relocked(current, definitionOf) : current,
    };
  }

  /** The names of its callers, if they may be broken. */
  #dependantsToBreak(capability: Capability, isForced: boolean): readonly string[] {
    const dependants = this.dependantsOf(capability.name).map(({ name }) => name);
    if (dependants.length === 0 || isForced) return dependants;
    throw new PmlError('BAD_REQUEST', `${capability.name} is called by ${dependants.join(', ')}`, {
      details: { dependants },
    });
  }
}

export interface DisableOptions {
  readonly reason?: string;
  /** Even if others call it. */
  readonly isForced?: boolean;
}
