import { type CatalogTool, PmlError } from '../core/index.js';
import type { Gateway } from '../gateway/index.js';
import { RPC, RpcError } from '../rpc/index.js';

/** Why a client cannot call what it named: blocked, hidden, of a server that failed, or unknown. */
export function explainMissing(gateway: Gateway, name: string): Error {
  const { catalog, pool } = gateway;
  const known = catalog.tools().find((tool) => pool.has(tool.server) && isCalled(tool, name));
  if (known && known.status !== 'gone') {
    try {
      gateway.assertTool(known.id);
    } catch (error) {
      return error as Error;
    }
  }
  const server = gateway.unlistedServer(name);
  if (server) {
    const why = pool.get(server).status.lastError;
    return new PmlError(
      'SERVER_NOT_STARTED',
      `Server ${server} has not listed its tools: ${why ?? 'it is still starting; try again'}`,
      { details: { server } },
    );
  }
  return new RpcError(RPC.invalidParams, `Unknown tool: ${name}.${gateway.nearTools(name)}`);
}

function isCalled({ server, definition }: CatalogTool, name: string): boolean {
  return name === `${server}__${definition.name}` || name === `${server}:${definition.name}`;
}
