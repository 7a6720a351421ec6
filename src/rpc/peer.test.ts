import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { JsonObject, JsonValue } from '../core/index.js';
import type { Channel } from './channel.js';
import { type RpcMessage, RpcError, type RpcRequest } from './messages.js';
import { Peer } from './peer.js';

/** The near end of a channel whose far end is the test. */
class FakeChannel implements Channel {
  onmessage: Channel['onmessage'];
  onclose: Channel['onclose'];
  readonly sent: RpcMessage[] = [];
  failNext: Error | undefined;

  send(message: RpcMessage): void {
    const failure = this.failNext;
    this.failNext = undefined;
    if (failure) throw failure;
    this.sent.push(message);
  }

  async close(reason: Error): Promise<void> {
    this.onclose?.(reason);
  }

  receive(message: object): void {
    this.onmessage?.({ jsonrpc: '2.0', ...message } as RpcMessage);
  }
}

function setUp(serve: (request: RpcRequest, signal: AbortSignal) => Promise<JsonObject> = fail) {
  const channel = new FakeChannel();
  const told: string[] = [];
  const peer = new Peer(channel, {
    request: serve,
    notification: ({ method }) => told.push(method),
    closed: (reason) => told.push(reason.message),
  });
  return { channel, peer, told };
}

function fail(): Promise<JsonObject> {
  return Promise.reject(new RpcError(-32_601, 'no', { why: 'test' }));
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('a request', () => {
  test('a request gets its own response, and unexpected responses are dropped', async () => {
    const { channel, peer } = setUp();
    const one = peer.request('one', {});
    const two = peer.request('two', {});

    channel.receive({ id: 99, result: { for: 'nobody' } });
    channel.receive({ id: 2, result: { for: 'two' } });
    channel.receive({ id: 2, result: { for: 'two again' } });
    channel.receive({ id: 1, result: { for: 'one' } });

    expect(await Promise.all([one, two])).toEqual([{ for: 'one' }, { for: 'two' }]);
    expect(peer.pendingCount).toBe(0);
  });

  test('a request that times out is cancelled on the other side, and the error says so', async () => {
    const { channel, peer } = setUp();
    const request = peer.request('slow', {}, { timeoutMs: 100 });
    const outcome = request.catch((error: unknown) => error);

    await vi.advanceTimersByTimeAsync(100);

    expect(await outcome).toMatchObject({ code: 'TOOL_TIMED_OUT' });
    expect(channel.sent.at(-1)).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: 1 },
    });
  });

  test('a request may take longer while progress arrives, but not forever', async () => {
    const { channel, peer } = setUp();
    const seen: number[] = [];
    const request = peer.request(
      'slow',
      {},
      { timeoutMs: 100, onProgress: (p) => seen.push(p.progress) },
    );
    const outcome = request.catch((error: unknown) => error);

    for (let progress = 1; progress <= 30; progress++) {
      channel.receive({
        method: 'notifications/progress',
        params: { progressToken: 1, progress },
      });
      await vi.advanceTimersByTimeAsync(50);
    }

    expect(await outcome).toMatchObject({ code: 'TOOL_TIMED_OUT' });
    expect(seen.length).toBeGreaterThan(10);
    expect(seen.length).toBeLessThanOrEqual(20);
  });

  test('a request does not time out while timeouts are held, and its timeout restarts afterwards', async () => {
    const { peer } = setUp();
    const settled = vi.fn<() => void>();
    const early = peer.request('early', {}, { timeoutMs: 100 }).catch(settled);
    await vi.advanceTimersByTimeAsync(99);
    const releases = [peer.holdTimeouts(), peer.holdTimeouts()];
    const late = peer.request('late', {}, { timeoutMs: 100 }).catch(settled);

    await vi.advanceTimersByTimeAsync(5_000);
    for (const release of releases) release();
    await vi.advanceTimersByTimeAsync(99);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);

    await Promise.all([early, late]);
    expect(settled).toHaveBeenCalledTimes(2);
  });

  test('a request cannot be kept alive forever by repeated holds', async () => {
    const { peer } = setUp();
    const settled = vi.fn<() => void>();
    void peer.request('slow', {}, { timeoutMs: 100 }).catch(settled);

    for (let turn = 0; turn < 30; turn++) {
      await vi.advanceTimersByTimeAsync(50);
      peer.holdTimeouts()();
    }

    expect(settled).toHaveBeenCalledOnce();
  });

  test.each<[string, JsonValue]>([
    ['null', null],
    ['a list', []],
    ['nested too deeply', nested(2_000)],
  ])('a request whose result is %s rejects with a protocol error', async (_what, result) => {
    const { channel, peer } = setUp();
    const request = peer.request('call', {});

    channel.receive({ id: 1, result });

    await expect(request).rejects.toMatchObject({ code: 'SERVER_PROTOCOL_ERROR' });
  });

  test('a request that its caller cancels rejects at once, and its late response is harmless', async () => {
    const { channel, peer } = setUp();
    const stop = new AbortController();
    const request = peer.request('call', {}, { signal: stop.signal });

    stop.abort();

    await expect(request).rejects.toMatchObject({ code: 'CALL_CANCELLED' });
    channel.receive({ id: 1, result: {} });
    expect(peer.pendingCount).toBe(0);
  });

  test('a request on a closing or closed channel rejects with the reason', async () => {
    const { peer, told } = setUp();
    const request = peer.request('call', {});
    const outcome = request.catch((error: unknown) => error);

    await peer.close(new Error('gone'));

    expect(await outcome).toEqual(new Error('gone'));
    await expect(peer.request('later', {})).rejects.toThrow('gone');
    expect(told).toEqual(['gone']);
  });
});

describe('a request of the other side', () => {
  test('a request of the other side gets the error its handler chose', async () => {
    const { channel } = setUp();

    channel.receive({ id: 'q', method: 'odd' });
    await vi.waitFor(() => expect(channel.sent).toHaveLength(1));

    const error = { code: -32_601, message: 'no', data: { why: 'test' } };
    expect(channel.sent).toEqual([{ jsonrpc: '2.0', id: 'q', error }]);
  });

  test('a request of the other side gets an error if its response cannot be sent', async () => {
    const { channel } = setUp(() => Promise.resolve({ fine: true }));
    channel.failNext = new RangeError('Maximum call stack size exceeded');

    channel.receive({ id: 5, method: 'call' });

    await vi.waitFor(() => expect(channel.sent).toHaveLength(1));
    expect(channel.sent[0]).toMatchObject({ id: 5, error: { code: -32_603 } });
  });

  test('a request that the other side cancels is stopped and gets no response', async () => {
    const stopped = vi.fn<() => void>();
    const { channel } = setUp(
      (_request, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            stopped();
            resolve({});
          });
        }),
    );

    channel.receive({ id: 5, method: 'call' });
    channel.receive({ method: 'notifications/cancelled', params: { requestId: 5 } });
    await vi.advanceTimersByTimeAsync(0);

    expect(stopped).toHaveBeenCalledOnce();
    expect(channel.sent).toEqual([]);
  });
});

function nested(levels: number): JsonValue {
  let value: JsonValue = 1;
  for (let i = 0; i < levels; i++) value = { a: value };
  return value;
}
