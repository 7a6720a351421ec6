import { type CatalogTool, PmlError } from '../core/index.js';
import { RPC, RpcError } from '../rpc/index.js';
import type { ToolDirectory } from './tool-directory.js';

/** Why a client cannot call what it named: blocked, hidden, of a server that failed, or unknown. */
export function explainMissing(tools: ToolDirectory, name: string): Error {
  const { catalog, pool } = tools;
  const known = catalog.tools().find((tool) => pool.has(tool.server) && isCalled(tool, name));
  if (known && known.status !== 'gone') {
    try {
      tools.assertTool(known.id);
    } catch (error) {
      return error as Error;
    }
  }
  const server = tools.unlistedServer(name);
  if (server) {
    const { lastError: why, state } = pool.get(server).status;
    return new PmlError(
      state === 'needs_sign_in' ? 'SIGN_IN_NEEDED' : 'SERVER_NOT_STARTED',
      `Server ${server} has not listed its tools: ${why ?? 'it is still starting; try again'}`,
      { details: { server } },
    );
  }
  return new RpcError(RPC.invalidParams, `Unknown tool: ${name}.${tools.nearTools(name)}`);
}

function isCalled({ server, definition }: CatalogTool, name: string): boolean {
  return name === `${server}__${definition.name}` || name === `${server}:${definition.name}`;
}
