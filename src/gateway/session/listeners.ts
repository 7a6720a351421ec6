import { isJsonObject, type JsonObject } from '../../core/index.js';
import { RPC, RpcError, type RpcId, SUBSCRIPTION_ID_META_KEY } from '../../rpc/index.js';

type Notify = (method: string, params: JsonObject) => void;

const FILTER_KEYS = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
} as const;

/**
 * `subscriptions/listen` of the stateless revision on a connection of our own: a request that stays
 * open, and change notifications that carry its id.
 */
export class Listeners {
  readonly #notify: Notify;
  readonly #subscribe: (uri: string) => void;
  readonly #open = new Map<RpcId, { filter: JsonObject; end: () => void }>();

  constructor(notify: Notify, { subscribe }: { subscribe: (uri: string) => void }) {
    this.#notify = notify;
    this.#subscribe = subscribe;
  }

  listen(id: RpcId, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const filter = params['notifications'];
    if (!isJsonObject(filter)) {
      throw new RpcError(RPC.invalidParams, "'notifications' must say what to listen for");
    }
    // What PML does not report is not acknowledged: clients ask for the state of their tasks.
    const { taskIds: _polled, ...honoured } = filter;
    this.#send(id, 'notifications/subscriptions/acknowledged', { notifications: honoured });
    const uris = filter['resourceSubscriptions'];
    if (Array.isArray(uris)) for (const uri of uris) this.#subscribe(String(uri));
    return new Promise((resolve) => {
      const end = () => {
        this.#open.delete(id);
        resolve({ resultType: 'complete', _meta: { [SUBSCRIPTION_ID_META_KEY]: id } });
      };
      this.#open.set(id, { filter, end });
      signal.addEventListener('abort', end, { once: true });
    });
  }

  listChanged(kind: keyof typeof FILTER_KEYS): void {
    for (const [id, { filter }] of this.#open) {
      if (filter[FILTER_KEYS[kind]] === true)
        this.#send(id, `notifications/${kind}/list_changed`, {});
    }
  }

  resourceUpdated(params: JsonObject): void {
    for (const [id, { filter }] of this.#open) {
      const uris = filter['resourceSubscriptions'];
      if (Array.isArray(uris) && uris.includes(params['uri'] as string)) {
        this.#send(id, 'notifications/resources/updated', params);
      }
    }
  }

  closeAll(): void {
    for (const { end } of this.#open.values()) end();
  }

  #send(id: RpcId, method: string, params: JsonObject): void {
    const meta = isJsonObject(params['_meta']) ? params['_meta'] : {};
    this.#notify(method, { ...params, _meta: { ...meta, [SUBSCRIPTION_ID_META_KEY]: id } });
  }
}
