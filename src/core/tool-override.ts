import type { ToolId } from './ids.js';
import type { JsonObject } from './json.js';
import type { ToolAnnotations } from './tool.js';

/** What the user changes of a tool, with every reference to the environment already replaced. */
export interface ToolOverride {
  readonly description?: string;
  /** The word of the user, unlike those of a server. */
  readonly annotations?: ToolAnnotations;
  /** Optional parameters that do not exist for agents. */
  readonly hide: readonly string[];
  /** Values that PML puts into every call. Their parameters do not exist for agents. */
  readonly fix: JsonObject;
  /** What `fix` took from the environment, by variable. */
  readonly variables: Readonly<Record<string, string>>;
  /** Why the tool cannot be called as the user wants it, such as a missing variable. */
  readonly fault?: string;
}

export type ToolOverrides = ReadonlyMap<ToolId, ToolOverride>;

/** Parameters that an agent neither sees nor gives. */
export function heldParameters({ hide, fix }: ToolOverride): ReadonlySet<string> {
  return new Set([...hide, ...Object.keys(fix)]);
}
