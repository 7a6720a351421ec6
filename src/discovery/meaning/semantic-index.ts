import {
  type CatalogTool,
  type Logger,
  type ServerName,
  type ToolId,
  messageOf,
} from '../../core/index.js';
import {
  IntentMemory,
  type PastIntent,
  REFERENCE_TEXTS,
  type RequestMemory,
} from '../../ranking/index.js';
import { createVectorIndex, type VectorIndex } from '../../search/index.js';
import { toolText } from '../../tool-text/index.js';
import { NearTools } from './near-tools.js';
import type { VectorSource } from './vector-source.js';

/** The current catalog, to be searched. */
export interface Searchable {
  readonly tools: ReadonlyMap<ToolId, CatalogTool>;
  /** What each server says it is for, where it says so. */
  readonly servers: ReadonlyMap<ServerName, string>;
}

/** Few enough that progress shows, and that a stop loses little. */
const REMEMBERED_AT_ONCE = 200;
/** Few enough that a stop loses little, enough for one statement. */
const FORGOTTEN_AT_ONCE = 200;

/**
 * Everything that lives in one embedding space: the vectors of tools, servers and past requests.
 * Updated in the background; until a tool has a vector, it is found by words alone.
 */
export class SemanticIndex implements AsyncDisposable {
  readonly source: VectorSource;
  readonly tools: VectorIndex<ToolId>;
  readonly servers: VectorIndex<string>;
  readonly nearTools: NearTools;
  /** Texts of all kinds: they calibrate similarity where there are few tools. */
  readonly reference: VectorIndex<string>;
  readonly memory: IntentMemory;
  readonly #log: Logger;
  readonly #stop = new AbortController();
  readonly #texts = new Map<ToolId, string>();
  readonly #serverTexts = new Map<ServerName, string>();
  /** Tools whose vector could not be made; the next list tries again. */
  readonly #failedTools = new Set<ToolId>();
  readonly #requests: RequestMemory;
  /** Requests that are found by their words alone, for the same reason. */
  readonly #failedRequests = new Set<string>();
  /** Texts whose stored vectors are to be removed. */
  readonly #forgotten = new Set<string>();
  readonly #stopListening: () => void;
  #work: Promise<void> = Promise.resolve();
  #waiting = 0;
  #error: string | undefined;

  constructor(
    source: VectorSource,
    { log, requests }: { readonly log: Logger; readonly requests: RequestMemory },
  ) {
    const { dimension } = source.space;
    this.source = source;
    this.#log = log;
    this.#requests = requests;
    this.tools = createVectorIndex(dimension);
    this.nearTools = new NearTools(this.tools);
    this.servers = createVectorIndex(dimension);
    this.reference = createVectorIndex(dimension);
    this.memory = new IntentMemory({ dimension, requests });
    this.#stopListening = requests.onForgotten((request) => this.#forget(request));
  }

  /** Pending vectors. */
  get waiting(): number {
    return this.#waiting;
  }

  get error(): string | undefined {
    return this.#error;
  }

  /** Whether some vectors could not be made. */
  get isIncomplete(): boolean {
    return this.#failedTools.size > 0 || this.#failedRequests.size > 0;
  }

  /** Takes over the tools as they are now. Only what changed or failed before is embedded. */
  sync({ tools, servers }: Searchable): Promise<void> {
    for (const id of this.#texts.keys()) {
      if (tools.has(id)) continue;
      this.#texts.delete(id);
      this.#failedTools.delete(id);
      this.tools.delete(id);
      this.nearTools.clear();
    }
    const changed = new Map<ToolId, string>();
    for (const [id, { definition }] of tools) {
      const text = toolText(definition);
      if (this.#texts.get(id) !== text || this.#failedTools.has(id)) changed.set(id, text);
      this.#failedTools.delete(id);
      this.#texts.set(id, text);
    }
    const names = new Set(Array.from(tools.values(), ({ server }) => server));
    for (const server of this.#serverTexts.keys()) {
      if (!names.has(server)) this.#serverTexts.delete(server);
    }
    for (const server of names) this.#serverTexts.set(server, servers.get(server) ?? '');
    return this.#later(changed.size, async (done) => {
      await this.#embedTools(changed, done);
      await this.#embedServers(tools);
      await this.#embedReference();
      await this.#embedRequests([...this.#failedRequests]);
    });
  }

  /** Adds vectors to remembered past requests and their needs. */
  remember(ids: Iterable<string>): Promise<void> {
    const fresh = [...ids].filter((id) => this.memory.has(id) && !this.memory.hasVector(id));
    return this.#later(fresh.length, async (done) => {
      try {
        for (let start = 0; start < fresh.length; start += REMEMBERED_AT_ONCE) {
          const part = fresh.slice(start, start + REMEMBERED_AT_ONCE);
          await this.#embedRequests(part);
          done(part.length);
        }
      } catch (error) {
        for (const id of fresh) {
          if (this.memory.has(id) && !this.memory.hasVector(id)) this.#failedRequests.add(id);
        }
        throw error;
      }
    });
  }

  /** Resolves when everything asked for so far is done or has failed. */
  settled(): Promise<void> {
    return this.#work;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#stopListening();
    this.memory[Symbol.dispose]();
    await this.source[Symbol.asyncDispose]();
    await this.#work;
  }

  async #embedTools(
    changed: ReadonlyMap<ToolId, string>,
    done: (items: number) => void,
  ): Promise<void> {
    const left = new Map(changed);
    const byText = new Map<string, ToolId[]>();
    for (const [id, text] of changed) byText.set(text, [...(byText.get(text) ?? []), id]);
    try {
      await this.#fill([...byText.keys()], (part) => {
        for (const [text, vector] of part) {
          for (const id of byText.get(text) ?? []) {
            // It may have changed again, or be gone, since then.
            if (this.#texts.get(id) === text) this.tools.set(id, vector);
            this.nearTools.clear();
            left.delete(id);
            done(1);
          }
        }
      });
    } finally {
      for (const [id, text] of left) if (this.#texts.get(id) === text) this.#failedTools.add(id);
    }
  }

  async #embedRequests(ids: readonly string[]): Promise<void> {
    const requests = ids.flatMap((id) => this.#requests.get(id) ?? []);
    const texts = requests.flatMap(({ text, needs }) => [text, ...needs.map((need) => need.text)]);
    const vectors = new Map<string, Float32Array>();
    await this.#fill(texts, (part) => {
      for (const [text, vector] of part) vectors.set(text, vector);
    });
    if (this.#stop.signal.aborted) return;
    for (const request of requests) {
      this.memory.embed(withVectors(request, vectors));
      this.#failedRequests.delete(request.id);
    }
  }

  /** In batches: every new request evicts an old one. */
  #forget({ id, text, needs }: PastIntent): void {
    this.#failedRequests.delete(id);
    const unneeded = needs.map((need) => need.text).filter((need) => !this.memory.hasNeed(need));
    for (const one of [text, ...unneeded]) this.#forgotten.add(one);
    if (this.#forgotten.size < FORGOTTEN_AT_ONCE) return;
    // A repeated request is still remembered under a later id, so its vector stays.
    const held = new Set(
      Array.from(this.#requests.ids(), (other) => this.#requests.get(other)?.text),
    );
    const texts = [...this.#forgotten].filter((one) => !held.has(one));
    this.#forgotten.clear();
    void this.#later(0, () => this.source.forget(texts));
  }

  async #embedReference(): Promise<void> {
    if (this.tools.size === 0 || this.reference.size > 0) return;
    await this.#fill(REFERENCE_TEXTS, (part) => {
      for (const [text, vector] of part) this.reference.set(text, vector);
    });
  }

  async #embedServers(tools: Searchable['tools']): Promise<void> {
    const texts = new Map(Array.from(this.#serverTexts).filter(([, text]) => text !== ''));
    const vectors = new Map<string, Float32Array>();
    await this.#fill([...texts.values()], (part) => {
      for (const [text, vector] of part) vectors.set(text, vector);
    });
    for (const server of this.servers.keys()) {
      if (!this.#serverTexts.has(server as ServerName)) this.servers.delete(server);
    }
    const members = new Map<ServerName, Float32Array[]>();
    for (const { id, server } of tools.values()) {
      const vector = this.tools.get(id);
      if (vector) members.set(server, [...(members.get(server) ?? []), vector]);
    }
    for (const [server, own] of members) {
      this.servers.set(server, vectors.get(texts.get(server) ?? '') ?? meanVector(own));
    }
  }

  #fill(texts: readonly string[], onVectors: (part: ReadonlyMap<string, Float32Array>) => void) {
    return this.source.fill(texts, { signal: this.#stop.signal, onVectors });
  }

  /** One after the other; a failure is kept for the caller and does not end the next. */
  #later(items: number, work: (done: (items: number) => void) => Promise<void>): Promise<void> {
    const before = this.#work;
    let left = items;
    const done = (count: number) => {
      left -= count;
      this.#waiting -= count;
    };
    this.#waiting += items;
    this.#work = (async () => {
      await before;
      if (this.#stop.signal.aborted) return;
      try {
        await work(done);
        if (!this.isIncomplete) this.#error = undefined;
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        this.#error = messageOf(error);
        this.#log.warn('search by meaning is incomplete', { error: this.#error });
      } finally {
        done(left);
      }
    })();
    return this.#work;
  }
}

function withVectors(
  { id, text, needs }: PastIntent,
  vectors: ReadonlyMap<string, Float32Array>,
): Pick<PastIntent, 'id' | 'vector' | 'needs'> {
  const of = (own: string) => {
    const vector = vectors.get(own);
    return vector && { vector };
  };
  return { id, ...of(text), needs: needs.map((need) => ({ text: need.text, ...of(need.text) })) };
}

/** What a server is for, as far as its tools tell. The index scales it to length 1. */
function meanVector(vectors: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(vectors[0]!.length);
  for (const vector of vectors) {
    for (let at = 0; at < sum.length; at++) sum[at]! += vector[at]! / vectors.length;
  }
  return sum;
}
