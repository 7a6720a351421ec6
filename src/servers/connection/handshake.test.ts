import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { PmlError, serverName } from '../../core/index.js';
import { type Channel, Peer, type RpcMessage, type RpcRequest } from '../../rpc/index.js';
import { type Greeting, handshake } from './handshake.js';

const results = {
  initialize: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} },
  'server/discover': { capabilities: {} },
};

/** A probing handshake with a server that answers when the test says so. */
function greet({ isOrdered }: { isOrdered: boolean }) {
  const sent: RpcRequest[] = [];
  const channel: Channel = {
    onmessage: undefined,
    onclose: undefined,
    send: (message: RpcMessage) => void sent.push(message as RpcRequest),
    close: async () => {},
  };
  const ignore = { notification: () => {}, closed: () => {} };
  const peer = new Peer(channel, { request: async () => ({}), ...ignore });
  const settled = vi.fn<(greeting: Greeting) => void>();
  const greeting = handshake(peer, {
    server: serverName('one'),
    want: 'legacy',
    probe: true,
    isOrdered,
    client: { info: {}, capabilities: {} },
    timeoutMs: 60_000,
  });
  void greeting.then(settled);
  const answer = async (method: keyof typeof results) => {
    const id = sent.find((request) => request.method === method)?.id ?? 0;
    channel.onmessage?.({ jsonrpc: '2.0', id, result: results[method] });
    await vi.advanceTimersByTimeAsync(0);
  };
  return { greeting, answer, settled };
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('handshake recognises both eras when the initialize response overtakes the probe response', async () => {
  const { greeting, answer } = greet({ isOrdered: false });

  await answer('initialize');
  await answer('server/discover');

  expect((await greeting).eras).toEqual(['legacy', 'modern']);
});

test('handshake waits only a limited time for a server that does not answer the probe', async () => {
  const { greeting, answer, settled } = greet({ isOrdered: false });

  await answer('initialize');
  expect(settled).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000);

  expect((await greeting).eras).toEqual(['legacy']);
});

test('handshake does not wait for the probe if the server answers in order', async () => {
  const { answer, settled } = greet({ isOrdered: true });

  await answer('initialize');

  expect(settled).toHaveBeenCalledWith(expect.objectContaining({ eras: ['legacy'] }));
});

test('a server that refuses initialize and wants a sign-in for the probe is one that wants a sign-in', async () => {
  const needed = new PmlError('SIGN_IN_NEEDED', 'sign in first');
  const channel: Channel = {
    onmessage: undefined,
    onclose: undefined,
    send: async (message: RpcMessage) => {
      const { method } = message as RpcRequest;
      throw method === 'server/discover' ? needed : new PmlError('SERVER_NOT_STARTED', 'HTTP 400');
    },
    close: async () => {},
  };
  const ignore = { notification: () => {}, closed: () => {} };
  const peer = new Peer(channel, { request: async () => ({}), ...ignore });

  const greeting = handshake(peer, {
    server: serverName('one'),
    want: 'legacy',
    probe: true,
    isOrdered: false,
    client: { info: {}, capabilities: {} },
    timeoutMs: 60_000,
  });

  await expect(greeting).rejects.toBe(needed);
});
