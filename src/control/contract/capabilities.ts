import type { Imported } from '../../capabilities/index.js';
import type { JsonObject } from '../../core/index.js';
import type { Verified } from '../../workflows/index.js';

/** What the command line shows of a capability. Crosses as JSON, so dates are texts. */
export interface CapabilityRow {
  readonly name: string;
  readonly status: 'active' | 'quarantined' | 'disabled';
  /** Why it is not active. */
  readonly reason?: string;
  readonly isPinned: boolean;
  /** Whether PML offers it to an agent that searches for what it does. */
  readonly isOffered: boolean;
  readonly uses: number;
  readonly successes: number;
  /** The share of uses expected to work. */
  readonly reliability: number;
  readonly version: number;
  readonly description: string;
}

export interface CapabilityDetails extends CapabilityRow {
  readonly cause?: string;
  readonly aliases: readonly string[];
  readonly intents: readonly string[];
  readonly signature: string;
  readonly parameters: JsonObject;
  /** Its steps as an indented tree. */
  readonly steps: readonly string[];
  readonly code: string;
  readonly lock: readonly LockedTool[];
  /** Newest first. */
  readonly versions: readonly VersionRow[];
  /** Capabilities it calls, and those that call it. */
  readonly contains: readonly string[];
  readonly containedBy: readonly string[];
  /** The calls of the last proof in order, with their times. Proofs of old builds have none. */
  readonly invocations?: readonly InvocationRow[];
  readonly failuresInRow: number;
  readonly averageMs: number;
  readonly lastUsed?: string;
}

/** One call of a proof. */
export interface InvocationRow {
  /** `server:tool#n`, where n counts the calls of this tool from 1. */
  readonly call: string;
  readonly tool: string;
  /** Milliseconds after the first call began. */
  readonly startMs: number;
  readonly ms: number;
  readonly ok: boolean;
  /** The call of a capability that made it; missing for the code's own calls. */
  readonly parent?: string;
}

export interface LockedTool {
  readonly tool: string;
  readonly hash: string;
  /** `unknown`: its server has not shown its tools yet. */
  readonly state: 'same' | 'changed' | 'gone' | 'unknown';
  /** The definition it was proven with (`-`) and the current one (`+`). */
  readonly diff: readonly string[];
}

export interface VersionRow {
  readonly version: number;
  readonly isCurrent: boolean;
  readonly uses: number;
  readonly successes: number;
  readonly origin: 'learned' | 'imported';
  readonly at: string;
  readonly run?: string;
  /** For a diff between versions; daemons of old builds give none. */
  readonly code?: string;
}

export type VerifiedCapability = { readonly name: string } & Verified;

export interface ImportedCapabilities {
  readonly outcomes: readonly Imported[];
  /** False: the daemon forgets them when it ends. */
  readonly isStored: boolean;
}

/** What to do with the capability `name`. */
export type CapabilityChange = { readonly name: string } & (
  | { readonly action: 'rename'; readonly to: string }
  | { readonly action: 'merge'; readonly into: string }
  | { readonly action: 'pin' | 'unpin' | 'enable' }
  | { readonly action: 'restore'; readonly version: number }
  | { readonly action: 'disable'; readonly reason?: string; readonly force?: boolean }
  | { readonly action: 'delete'; readonly force?: boolean }
);
