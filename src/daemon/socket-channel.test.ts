import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { temporaryFolder } from '../../test/helpers/temporary-folder.js';
import { type Logger, silentLogger } from '../core/index.js';
import { SocketChannel } from './socket-channel.js';

const pipe = (folder: string) =>
  process.platform === 'win32' ? `\\\\.\\pipe\\pml-test-${process.pid}` : join(folder, 's.sock');
const big = { jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(10_000_000) } } as const;
const done = { jsonrpc: '2.0', id: 2, result: {} } as const;
const news = (method: string) => ({ jsonrpc: '2.0', method, params: {} }) as const;

let end: () => Promise<void>;
let ours: Socket;
let client: Socket;
let channel: SocketChannel;
let warnings: string[];

beforeEach(async () => {
  const folder = await temporaryFolder();
  const server = createServer().listen(pipe(folder.path));
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  client = connect(pipe(folder.path)).pause();
  [ours] = (await accepted) as [Socket];
  warnings = [];
  const log: Logger = { ...silentLogger, warn: (message) => warnings.push(message) };
  channel = new SocketChannel(ours, { maxBytes: 1_000, log });
  end = async () => {
    client.destroy();
    ours.destroy();
    server.close();
    await folder[Symbol.asyncDispose]();
  };
});

afterEach(async () => {
  vi.useRealTimers();
  await end();
});

test('a client that does not read loses what is only news, and no answer', async () => {
  channel.send(big);
  await vi.waitFor(() => expect(ours.writableLength).toBeGreaterThan(8_000_000));

  channel.send(news('notifications/message'));
  channel.send(news('notifications/progress'));
  channel.send(news('notifications/tools/list_changed'));
  channel.send(done);

  const seen: unknown[] = [];
  for await (const line of createInterface({ input: client })) {
    const message = JSON.parse(line) as { id?: number; method?: string };
    seen.push(message.method ?? message.id);
    if (message.id === done.id) break;
  }
  expect(seen).toEqual([1, 'notifications/tools/list_changed', 2]);
});

test('a client that leaves far too much unread is dropped, with a line in the log', async () => {
  const reasons: string[] = [];
  channel.onclose = (reason) => reasons.push(reason.message);
  Object.defineProperty(ours, 'writableLength', { value: 256_000_001 });

  expect(() => channel.send(done)).toThrow('does not read');

  expect(ours.destroyed).toBe(true);
  expect(reasons).toEqual(['the client does not read what it is sent']);
  expect(warnings).toEqual(['client dropped: it does not read']);
});

test('closing does not wait for a client that does not read', async () => {
  channel.send(big);
  await vi.waitFor(() => expect(ours.writableLength).toBeGreaterThan(0));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

  const closed = channel.close(new Error('the daemon stops'));
  vi.advanceTimersByTime(1_000);
  await closed;

  expect(ours.destroyed).toBe(true);
});
