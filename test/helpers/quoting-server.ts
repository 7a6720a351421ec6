import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface QuotingServer extends AsyncDisposable {
  readonly url: string;
}

interface Request {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly protocolVersion?: string };
}

/** A remote MCP server on loopback that quotes the header it is called with in its errors. */
export async function startQuotingServer(): Promise<QuotingServer> {
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      if (request.method !== 'POST' || body === '') return response.writeHead(405).end();
      const { id, method, params } = JSON.parse(body) as Request;
      if (id === undefined) return response.writeHead(202).end();
      const answer = answerTo(method, params?.protocolVersion, request.headers.authorization ?? '');
      response.writeHead(200, { 'content-type': 'application/json' });
      return response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answerTo(method: string, protocolVersion: string | undefined, header: string): object {
  const tool = { name: 'fetch', description: 'Fetches', inputSchema: { type: 'object' } };
  switch (method) {
    case 'initialize': {
      const serverInfo = { name: 'quoting', version: '1' };
      return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo } };
    }
    case 'tools/list':
      return { result: { tools: [{ ...tool, annotations: { readOnlyHint: true } }] } };
    case 'tools/call':
      return { error: { code: -32001, message: `not accepted: ${header}`, data: { header } } };
    default:
      return { error: { code: -32601, message: 'Method not found' } };
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}
