import type { JsonObject, ServerName } from '../../core/index.js';
import type { ContextBudget } from '../../tool-text/index.js';

export type ListKind = 'tools' | 'prompts' | 'resources';

/** A client as the gateway sees it: it gets notifications between its requests. */
export interface ClientSession {
  readonly id: string;
  readonly info: JsonObject;
  readonly budget: ContextBudget;
  /** Name of its profile; undefined if it named none. */
  readonly profile: string | undefined;
  readonly logLevel: string | undefined;
  /** URIs of the resources it watches. */
  readonly subscriptions: ReadonlySet<string>;
  /** Shows user interfaces, so its list of tools has those that have one. */
  readonly hasUi: boolean;
  tell(method: string, params: JsonObject): void;
  listChanged(kind: ListKind): void;
  resourceUpdated(server: ServerName, params: JsonObject): void;
}
