import type { CatalogTool, JsonObject, ToolChange } from '../../core/index.js';

/** The whole catalog with what clients see of it. */
export interface DaemonTools {
  readonly exposed: readonly JsonObject[];
  readonly instructions: string;
  /** Of the exposed tools and the instructions: what was counted once need not be counted again. */
  readonly exposedHash: string;
  readonly context: { readonly windowTokens: number; readonly share: number };
  readonly tools: readonly ListedTool[];
  /** Texts with invisible characters, which PML removed. */
  readonly hidden: readonly { readonly server: string; readonly place: string }[];
  /** Why the pins of definitions cannot be relied on. */
  readonly pinsProblem?: string;
  /** Overrides that do not do what the user wants; missing from daemons of old builds. */
  readonly overrideProblems?: readonly ToolProblem[];
  /** Servers whose tools are not known, and why. */
  readonly missing: readonly MissingTools[];
}

export interface ToolProblem {
  readonly tool: string;
  readonly problem: string;
}

export interface MissingTools {
  readonly server: string;
  readonly reason: string;
}

/** A tool of the catalog; when it was seen is text here. */
export interface KnownTool extends Omit<CatalogTool, 'firstSeen' | 'lastSeen'> {
  /** ISO 8601. */
  readonly firstSeen: string;
  readonly lastSeen: string;
}

export interface ListedTool extends KnownTool {
  readonly visible: boolean;
}

/** A change of a definition; its time is text here. */
export interface ShownChange extends Omit<ToolChange, 'at'> {
  /** ISO 8601. */
  readonly at: string;
  /** The state of the tool now; `blocked` waits for an approval. Missing if the tool is gone. */
  readonly status?: CatalogTool['status'];
  /** The change is about the definition that the tool has now. */
  readonly isCurrent?: boolean;
}
