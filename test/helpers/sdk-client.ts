import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { relayCommand } from './http-gateway.js';
import type { Workspace } from './workspace.js';

export interface SdkOptions extends ClientOptions {
  readonly era?: 'legacy' | 'modern';
  /** Registers handlers before the client connects. */
  readonly prepare?: (client: Client) => void;
}

/** Every capability a client can have; the answers are for `answerEverything`. */
export const ALL_CAPABILITIES = {
  elicitation: { form: {} },
  sampling: {},
  roots: { listChanged: true },
} as const;

export function answerEverything(client: Client): void {
  client.setRequestHandler('elicitation/create', async () => ({
    action: 'accept',
    content: { colour: 'blue', allow: true },
  }));
  client.setRequestHandler('sampling/createMessage', async () => ({
    role: 'assistant',
    model: 'test',
    content: { type: 'text', text: 'sampled' },
  }));
  client.setRequestHandler('roots/list', async () => ({ roots: [{ uri: 'file:///work' }] }));
}

/** The official client, over a relay of its own. */
export async function connectSdk(
  workspace: Workspace,
  { era = 'legacy', prepare, ...options }: SdkOptions = {},
): Promise<Client & AsyncDisposable> {
  const mode = era === 'legacy' ? 'legacy' : { pin: '2026-07-28' };
  const client = new Client(
    { name: 'test', version: '1' },
    { ...options, versionNegotiation: { mode } },
  );
  prepare?.(client);
  // A subclass is probed in place; the SDK would start a second relay otherwise.
  class Relay extends StdioClientTransport {}
  await client.connect(new Relay({ ...relayCommand(workspace), stderr: 'ignore' }));
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

/** The text of a result, all blocks joined. */
export function resultText(result: object): string {
  const { content = [] } = result as { content?: readonly { readonly text?: string }[] };
  return content.map((block) => block.text ?? '').join('\n');
}
