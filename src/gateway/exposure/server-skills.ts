import {
  asText,
  declares,
  hasHidden,
  isJsonObject,
  type JsonObject,
  messageOf,
  type ServerName,
  SKILLS_EXTENSION,
} from '../../core/index.js';
import { passRequest, type RequestContext } from '../../tools/index.js';
import type { ToolDirectory } from '../../tools/index.js';
import { type SkillPlace, SkillPlaces } from './skill-places.js';

/** A server that does not answer must not keep the skills of the others from a client. */
const PATIENCE_MS = 5_000;
const MOST_PAGES = 100;

/** Skills of the servers behind PML. PML keeps none: it asks each time, and knows who has which. */
export class ServerSkills {
  readonly #tools: ToolDirectory;
  readonly #places = new SkillPlaces();
  readonly #log: (text: string, fields: Record<string, string>) => void;

  constructor(tools: ToolDirectory, log: (text: string, fields: Record<string, string>) => void) {
    this.#tools = tools;
    this.#log = log;
  }

  /** All entries, by the names of their servers. A server that fails is left out. */
  async entries(context: RequestContext): Promise<readonly JsonObject[]> {
    await this.#tools.firstListing();
    const servers = this.#servers();
    const lists = await Promise.all(servers.map((server) => this.#list(server, context)));
    // In the order of the servers, not of their answers: the first one keeps its addresses.
    return servers.flatMap((server, at) =>
      (lists[at] ?? []).flatMap((skill): readonly JsonObject[] => {
        const seen = this.#expose(server, skill);
        return seen ? [seen] : [];
      }),
    );
  }

  /** The entry of one skill, which its server need not list. */
  async entry(uri: string, context: RequestContext): Promise<JsonObject | undefined> {
    await this.#tools.firstListing();
    const known = this.#places.find(uri);
    const places = known ? [known] : this.#servers().map((server) => ({ server, uri }));
    for (const place of places) {
      const skill = await this.#get(place, context);
      if (skill) return skill;
    }
    return undefined;
  }

  /** The server that has a file, and its address there. Skills that no client listed are looked up. */
  async find(uri: string, context: RequestContext): Promise<SkillPlace | undefined> {
    if (this.#servers().length === 0) return undefined;
    await this.entries(context);
    return this.known(uri);
  }

  /** The same, among the skills that a client listed or looked up. */
  known(uri: string): SkillPlace | undefined {
    const found = this.#places.find(uri);
    if (!found || !this.#tools.pool.has(found.server)) return undefined;
    return this.#tools.view.isAddressDenied(found.server, found.uri) ? undefined : found;
  }

  #servers(): readonly ServerName[] {
    const { catalog, pool, view } = this.#tools;
    return view.servers.filter((name) => {
      const capabilities = catalog.server(name)?.listing.capabilities;
      return capabilities && pool.has(name) && declares(capabilities, SKILLS_EXTENSION);
    });
  }

  async #list(server: ServerName, context: RequestContext): Promise<readonly unknown[]> {
    try {
      const found: unknown[] = [];
      let cursor: unknown;
      for (let page = 0; page < MOST_PAGES; page++) {
        const params = typeof cursor === 'string' ? { cursor } : {};
        const answer = await this.#ask(server, 'skills/list', params, context);
        const { skills } = answer;
        if (Array.isArray(skills)) found.push(...(skills as unknown[]));
        cursor = answer['nextCursor'];
        if (typeof cursor !== 'string' || cursor === '') break;
      }
      return found;
    } catch (error) {
      context.signal.throwIfAborted();
      this.#log('skills not listed', { server, error: messageOf(error) });
      return [];
    }
  }

  async #get(
    { server, uri }: SkillPlace,
    context: RequestContext,
  ): Promise<JsonObject | undefined> {
    try {
      const answer = await this.#ask(server, 'skills/get', { uri }, context);
      return this.#expose(server, answer['skill']);
    } catch (error) {
      context.signal.throwIfAborted();
      this.#log('skill not found', { server, error: messageOf(error) });
      return undefined;
    }
  }

  #ask(
    server: ServerName,
    method: string,
    params: JsonObject,
    context: RequestContext,
  ): Promise<JsonObject> {
    const signal = AbortSignal.any([context.signal, AbortSignal.timeout(PATIENCE_MS)]);
    return passRequest(this.#tools.pool.get(server), method, params, { ...context, signal });
  }

  /** A skill with hidden characters is left out: without them it would not be what its digest says. */
  #expose(server: ServerName, entry: unknown): JsonObject | undefined {
    const uri = isJsonObject(entry) ? asText(entry['uri']) : '';
    if (this.#tools.view.isAddressDenied(server, uri)) return undefined;
    if (hasHidden(JSON.stringify(entry))) {
      this.#log('skill with hidden characters left out', { server, uri });
      return undefined;
    }
    return this.#places.expose(server, entry);
  }
}
