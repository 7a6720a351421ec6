import type { Answer, PmlClient } from './pml-client.js';

type Json = Record<string, unknown>;

/** A client of 2026-07-28 over a relay: every request names what the client can do. */
export interface ModernClient {
  request(method: string, params?: Json): Promise<Answer>;
  call(name: string, args?: Json): Promise<Json>;
  task(method: 'get' | 'update' | 'cancel', taskId: string, params?: Json): Promise<Json>;
}

export function modernClient(client: PmlClient, capabilities: Json): ModernClient {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const request = (method: string, params: Json = {}) =>
    client.request(method, { ...params, _meta });
  const result = async (answer: Promise<Answer>) => {
    const { result: given, error } = await answer;
    if (error) throw new Error(`${error.code} ${error.message}`);
    return given ?? {};
  };
  return {
    request,
    call: (name, args = {}) => result(request('tools/call', { name, arguments: args })),
    task: (method, taskId, params = {}) =>
      result(request(`tasks/${method}`, { taskId, ...params })),
  };
}
