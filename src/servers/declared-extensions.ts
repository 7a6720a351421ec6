import {
  canonicalJson,
  extensionsIn,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  TASKS_EXTENSION,
} from '../core/index.js';

/** Clients without a session differ only by what they declare; real ones declare a handful. */
const MOST_CLIENTS = 1_000;

/**
 * The extensions that clients declare, for servers that they share: PML declares to such a server what any of
 * them declares. Tasks are not among them, because PML waits for tasks itself.
 */
export class DeclaredExtensions {
  readonly #clients = new Map<string, { readonly text: string; readonly extensions: JsonObject }>();
  readonly #onGrown: () => void;
  #all: JsonObject | undefined;

  /** `onGrown` is called when a server that runs knows less than its clients declare now. */
  constructor(onGrown: () => void) {
    this.#onGrown = onGrown;
  }

  /** All of them together; undefined if there are none. */
  get all(): JsonObject | undefined {
    return this.#all;
  }

  /** What a client declares with its greeting, or with a request. */
  declare(client: string, capabilities: JsonObject): void {
    const declared = extensionsIn(capabilities);
    if (!declared) return;
    const { [TASKS_EXTENSION]: _ours, ...extensions } = declared;
    const text = canonicalJson(extensions);
    const isKnown = this.#clients.get(client)?.text === text;
    if (isKnown || Object.keys(extensions).length === 0 || this.#clients.size >= MOST_CLIENTS)
      return;
    this.#clients.set(client, { text, extensions });
    this.#update({ mayGrow: true });
  }

  leave(client: string): void {
    if (this.#clients.delete(client)) this.#update({ mayGrow: false });
  }

  #update({ mayGrow }: { readonly mayGrow: boolean }): void {
    const before = this.#all;
    const all = [...this.#clients.values()].map(({ extensions }) => extensions);
    this.#all = all.length > 0 ? (all.reduce((one, other) => joined(one, other)) ?? {}) : undefined;
    const isSame = canonicalJson(before ?? {}) === canonicalJson(this.#all ?? {});
    if (mayGrow && !isSame) this.#onGrown();
  }
}

/** What either declares. Of two values for one setting, lists are joined; else the first one counts. */
function joined(one: JsonObject, other: JsonObject): JsonObject {
  const entries = Object.entries(other).map(([key, value]): [string, JsonValue] => [
    key,
    join(one[key], value),
  ]);
  return { ...one, ...Object.fromEntries(entries) };
}

function join(one: JsonValue | undefined, other: JsonValue): JsonValue {
  if (one === undefined) return other;
  if (Array.isArray(one) && Array.isArray(other)) {
    const known = new Set(one.map((item) => JSON.stringify(item)));
    return [...one, ...other.filter((item) => !known.has(JSON.stringify(item)))];
  }
  return isJsonObject(one) && isJsonObject(other) ? joined(one, other) : one;
}
