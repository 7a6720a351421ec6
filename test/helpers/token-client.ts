import type { serveHttp } from './http-gateway.js';
import type { Workspace } from './workspace.js';

export interface Answered {
  readonly status: number;
  readonly body: string;
}

/** A client with a bearer token that speaks the stateless revision. */
export interface TokenClient {
  readonly token: string;
  ask(method: string, params?: object): Promise<Answered>;
  /** The text of the answer to a call. */
  call(name: string, args: object): Promise<string>;
}

/** Makes a named token and a client with it. */
export async function tokenClient(
  workspace: Workspace,
  { url }: Pick<Awaited<ReturnType<typeof serveHttp>>, 'url'>,
  name: string,
  ...flags: readonly string[]
): Promise<TokenClient> {
  const { stdout } = await workspace.run('token', 'create', '--name', name, ...flags, '--json');
  return bearerClient(url, (JSON.parse(stdout) as { token: string }).token);
}

export function bearerClient(url: string, token: string): TokenClient {
  const ask = async (method: string, params: object = {}): Promise<Answered> => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const { name, uri } = params as { name?: string; uri?: string };
    const target = name ?? uri;
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(target !== undefined && { 'mcp-name': target }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }),
    });
    return { status: response.status, body: await response.text() };
  };
  return {
    token,
    ask,
    call: async (name, args) => (await ask('tools/call', { name, arguments: args })).body,
  };
}
