import { isJsonObject, type JsonObject, type Logger, messageOf, PmlError } from '../core/index.js';
import { RPC, RpcError } from '../rpc/index.js';
import type { Connection } from './connection/connection.js';

/** A server that never stops paging must not keep us for ever. */
const MAX_PAGES = 1_000;

export interface RawListing {
  readonly tools: readonly unknown[];
  readonly resources: readonly JsonObject[];
  readonly resourceTemplates: readonly JsonObject[];
  readonly prompts: readonly JsonObject[];
}

/** Everything the server offers. A list that fails besides tools is reported and empty. */
export async function readListing(
  connection: Connection,
  { maxTools, timeoutMs, log }: { maxTools: number; timeoutMs: number; log: Logger },
): Promise<RawListing> {
  const { capabilities } = connection.greeting;
  const limits = { maxItems: maxTools, timeoutMs, log };
  const optional = async (method: string, key: string): Promise<readonly JsonObject[]> => {
    try {
      const items = await readPages(connection, method, { key, ...limits });
      return items.filter((item): item is JsonObject => isJsonObject(item));
    } catch (error) {
      const isMissing = error instanceof RpcError && error.code === RPC.methodNotFound;
      if (!isMissing) log.warn('list failed', { method, error: messageOf(error) });
      return [];
    }
  };
  const [tools, resources, resourceTemplates, prompts] = await Promise.all([
    capabilities['tools'] ? readPages(connection, 'tools/list', { key: 'tools', ...limits }) : [],
    capabilities['resources'] ? optional('resources/list', 'resources') : [],
    capabilities['resources'] ? optional('resources/templates/list', 'resourceTemplates') : [],
    capabilities['prompts'] ? optional('prompts/list', 'prompts') : [],
  ]);
  return { tools, resources, resourceTemplates, prompts };
}

interface PageOptions {
  readonly key: string;
  readonly maxItems: number;
  /** For all pages together. */
  readonly timeoutMs: number;
  readonly log: Logger;
}

async function readPages(
  connection: Connection,
  method: string,
  { key, maxItems, timeoutMs, log }: PageOptions,
): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  const seen = new Set<unknown>();
  const signal = AbortSignal.timeout(timeoutMs);
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES; page++) {
    const params = cursor === undefined ? {} : { cursor: cursor as string };
    const result = await connection.request(method, params, { signal }).catch((error: unknown) => {
      if (page > 0 && signal.aborted) return undefined; // Keep what we have; said below.
      throw signal.aborted ? tooSlow(method, timeoutMs) : error;
    });
    if (!result) break;
    const found = result[key];
    if (!Array.isArray(found)) throw malformed(method, key);
    items.push(...(found as unknown[]).slice(0, maxItems - items.length));
    cursor = result['nextCursor'];
    if (cursor === undefined || cursor === null || cursor === '') return items;
    if (typeof cursor !== 'string' || seen.has(cursor) || items.length >= maxItems) break;
    seen.add(cursor);
  }
  log.warn('list does not end; cut', { method, items: items.length });
  return items;
}

function tooSlow(method: string, timeoutMs: number): PmlError {
  return new PmlError('TOOL_TIMED_OUT', `no answer to ${method} within ${timeoutMs} ms`);
}

function malformed(method: string, key: string): PmlError {
  return new PmlError('SERVER_PROTOCOL_ERROR', `the answer to ${method} has no list "${key}"`);
}
