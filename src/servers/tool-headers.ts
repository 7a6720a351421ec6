import { asText, isJsonObject, type JsonObject } from '../core/index.js';
import { type HeaderParam, paramHeaders, readHeaderParams } from './param-headers.js';

/** Answer of a server to a call whose headers do not say what its body does. */
const HEADER_MISMATCH = -32_020;

/** Which parameters of a server's tools go into headers, as its newest list says. */
export class ToolHeaders {
  #params: ReadonlyMap<string, readonly HeaderParam[]> = new Map();

  learn(tools: readonly unknown[]): void {
    this.#params = new Map(
      tools.flatMap((tool): [string, readonly HeaderParam[]][] => {
        if (!isJsonObject(tool) || !isJsonObject(tool['inputSchema'])) return [];
        const read = readHeaderParams(tool['inputSchema']);
        return read.ok && read.params.length > 0 ? [[asText(tool['name']), read.params]] : [];
      }),
    );
  }

  /** Nothing for a request that needs none. */
  of(method: string, params: JsonObject | undefined): Readonly<Record<string, string>> | undefined {
    if (method !== 'tools/call') return undefined;
    const marked = this.#params.get(asText(params?.['name']));
    return marked && paramHeaders(marked, params?.['arguments']);
  }
}

export function isHeaderMismatch(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === HEADER_MISMATCH;
}
