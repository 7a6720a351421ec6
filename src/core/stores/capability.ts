import type { RunId, ToolId } from '../ids.js';
import type { JsonObject, JsonValue } from '../json.js';

/** A tool's definition as far as code can depend on it. */
export type LockedDefinition = {
  /** Of the whole definition; the same hash means that nothing changed. */
  readonly hash: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly description?: string;
};

/** How often something was used, and how that went. */
export interface UseStatistics {
  readonly uses: number;
  readonly successes: number;
  readonly failuresInRow: number;
  /** Of all uses together. */
  readonly totalMs: number;
  readonly lastUsed?: Date;
}

/** One call of a proof. */
export interface Invocation {
  readonly tool: ToolId;
  readonly ok: boolean;
  /** Milliseconds after the first call began. */
  readonly startMs: number;
  readonly ms: number;
  /** Place of the call that made this one, for calls inside of a capability. */
  readonly parent?: number;
}

/** One piece of proven code, with all it was proven with. */
export interface CapabilityVersion {
  /** Hash of the code's normalised syntax: the same procedure has the same, whatever it is given. */
  readonly identity: string;
  /** From 1, in the order they were proven under this name. */
  readonly version: number;
  /** Its literals are parameters, read from `args`. */
  readonly code: string;
  /** JSON Schema of `args`, with defaults. */
  readonly parameters: JsonObject;
  /** The definitions of its tools at the last proof. */
  readonly lock: Readonly<Record<ToolId, LockedDefinition>>;
  /** Capabilities its code calls, by the names it calls them. */
  readonly contains: readonly string[];
  /** What the code does, step by step. */
  readonly structure: JsonValue;
  /** Each once, in order of the alphabet. */
  readonly toolsUsed: readonly ToolId[];
  /** The calls of the last proof in order, each `server:tool#n`; long ones are cut. */
  readonly sequence: readonly string[];
  /** Every call of the last proof with its times, also those inside of capabilities; long ones are cut. */
  readonly invocations?: readonly Invocation[];
  readonly statistics: UseStatistics;
  readonly provenance: {
    readonly origin: 'learned' | 'imported';
    readonly at: Date;
    readonly run?: RunId;
  };
}

/**
 * `quarantined`: not offered until it is proven again, because it failed, because a tool is no longer
 * what it was proven with, or because something it calls is gone. `disabled`: by the user.
 */
export type CapabilityStatus =
  | { readonly status: 'active' }
  | {
      readonly status: 'quarantined';
      readonly cause: 'failures' | 'definitions' | 'contained';
      readonly reason: string;
    }
  | { readonly status: 'disabled'; readonly reason: string };

/** Proven code under a name: what an agent calls as `cap.<name>(args)`. */
export interface Capability {
  readonly name: string;
  /** Names it had before. They still mean it: other code calls it by them. */
  readonly aliases: readonly string[];
  readonly description: string;
  /** What was wanted when it was proven or used, newest first. */
  readonly intents: readonly string[];
  readonly state: CapabilityStatus;
  /** The user vouches for it: it is offered whatever its statistics, and not replaced unasked. */
  readonly isPinned: boolean;
  readonly current: CapabilityVersion;
  /** Versions that can be restored, newest first. */
  readonly others: readonly CapabilityVersion[];
}

/** Uses of one version since they were last reported. */
export interface CapabilityUse {
  readonly capability: string;
  readonly identity: string;
  /** To be added. */
  readonly uses: number;
  readonly successes: number;
  readonly totalMs: number;
  /** As it is afterwards. */
  readonly failuresInRow: number;
  readonly lastUsed: Date;
}

/** What changed since the last save. */
export interface CapabilityUpdate {
  /**
   * Written as they are with all their versions, except that statistics of versions that are stored
   * already stay: they grow by `uses` alone, so that machines that share a store add up.
   */
  readonly write: readonly Capability[];
  /** Names. Those that are not there do not matter. */
  readonly remove: readonly string[];
  /** Versions that are no longer kept. */
  readonly forget: readonly { readonly capability: string; readonly identity: string }[];
  /** One a version. Those of versions that are not stored do not matter. */
  readonly uses: readonly CapabilityUse[];
}

/** The durable copy of capabilities. Rejects with a `PmlError`. */
export interface CapabilityStore {
  /** All of them with all their versions, in order of their names. */
  load(): Promise<readonly Capability[]>;
  /** All of it or nothing: first `remove`, then `write`, `forget` and `uses`. */
  save(update: CapabilityUpdate): Promise<void>;
}

/** What others did to capabilities in a store they share. */
export interface CapabilityNews {
  readonly written: readonly Capability[];
  /** Names. */
  readonly removed: readonly string[];
}

/** A store that several processes write. */
export interface SharedCapabilityStore extends CapabilityStore {
  /**
   * Hands over what others changed since it was loaded or handed over last, if they did. `take` says
   * which names it did not take; they are handed over again the next time.
   */
  news(take: (news: CapabilityNews) => ReadonlySet<string>): Promise<void>;
}

/** How a capability is called among tools. */
export function capabilityId(name: string): ToolId {
  return `cap:${name}` as ToolId;
}
