import type { JsonObject, ServerName } from '../../core/index.js';
import type { ContextBudget } from '../../tool-text/index.js';

export type ListKind = 'tools' | 'prompts' | 'resources';

/** A client as the gateway sees it: someone to tell what happens between its requests. */
export interface ClientSession {
  readonly id: string;
  readonly info: JsonObject;
  readonly budget: ContextBudget;
  /** Name of its profile; undefined if it named none. */
  readonly profile: string | undefined;
  readonly logLevel: string | undefined;
  /** URIs of the resources it watches. */
  readonly subscriptions: ReadonlySet<string>;
  tell(method: string, params: JsonObject): void;
  listChanged(kind: ListKind): void;
  resourceUpdated(server: ServerName, params: JsonObject): void;
}
