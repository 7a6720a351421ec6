import { expect, test } from 'vitest';

import { offlineSessions } from '../../../test/helpers/offline-sessions.js';
import { runId, type ToolId } from '../../core/index.js';
import type { Channel, RpcMessage } from '../../rpc/index.js';
import { Session } from './session.js';

/** A client that is a function call away. */
class DirectChannel implements Channel {
  onmessage: ((message: RpcMessage) => void) | undefined;
  onclose: ((reason: Error) => void) | undefined;
  readonly sent: RpcMessage[] = [];
  readonly #waiting = new Map<unknown, (result: unknown) => void>();

  send(message: RpcMessage): void {
    this.sent.push(message);
    if ('result' in message) this.#waiting.get(message.id)?.(message.result);
  }

  async close(): Promise<void> {}

  ask(id: number, method: string, params = {}): Promise<unknown> {
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.onmessage?.({ jsonrpc: '2.0', id, method, params });
    });
  }
}

const pinned = {
  exposure: { mode: 'hybrid', pin: ['a:*'], capabilities: [], skills: true },
} as const;
const names = (result: unknown) =>
  (result as { tools: { name: string }[] }).tools.map(({ name }) => name);

test('a list with pinned tools stays as it was first read, and its change is not told', async () => {
  const { sessions, list } = await offlineSessions(['a', 'b'], { changes: pinned });
  list('a', ['one']);
  list('b', ['other']);
  const client = new DirectChannel();
  const session = new Session(sessions, client, { id: 's' });
  await client.ask(1, 'initialize', { protocolVersion: '2025-11-25' });
  const before = names(await client.ask(2, 'tools/list'));

  list('a', ['one', 'two']);
  session.listChanged('tools');

  expect(before).toEqual([
    'pml_discover',
    'pml_read',
    'pml_execute_workflow',
    'pml_execute_code',
    'pml_continue',
    'a__one',
  ]);
  expect(names(await client.ask(3, 'tools/list'))).toEqual(before);
  expect(client.sent.filter((one) => 'method' in one)).toEqual([]);
});

test('a list read before every server has shown its tools may still grow', async () => {
  const { sessions, list } = await offlineSessions(['a', 'b'], { changes: pinned });
  list('b', ['other']);
  const client = new DirectChannel();
  void new Session(sessions, client, { id: 's' });
  await client.ask(1, 'initialize', { protocolVersion: '2025-11-25' });
  const first = client.ask(2, 'tools/list');

  list('a', ['one']);

  expect(names(await first)).toContain('a__one');
  list('a', ['one', 'two']);
  expect(names(await client.ask(3, 'tools/list'))).not.toContain('a__two');
});

test('capabilities that are tools are those of the first list, whatever is learned later', async () => {
  const exposure = { mode: 'meta', pin: [], capabilities: ['*'], skills: true } as const;
  const { sessions, tools, list } = await offlineSessions(['a'], { changes: { exposure } });
  list('a', ['one', 'two']);
  const learn = (intent: string, code: string) =>
    tools.capabilities.learn({
      code,
      intent,
      run: runId('run_1'),
      calls: [{ tool: 'a:one' as ToolId, ok: true }],
      definitionOf: (tool) => tools.lockedDefinition(tool),
      ms: 1,
    });
  learn('first', 'await mcp.a.one({}); return mcp.a.two({})');
  const client = new DirectChannel();
  void new Session(sessions, client, { id: 's' });
  await client.ask(1, 'initialize', { protocolVersion: '2025-11-25' });
  const before = await client.ask(2, 'tools/list');

  learn('second', 'await mcp.a.two({}); return mcp.a.one({})');
  tools.capabilities.disable('first');

  expect(names(before).slice(5)).toEqual(['cap__first']);
  expect(await client.ask(3, 'tools/list')).toEqual(before);
});
