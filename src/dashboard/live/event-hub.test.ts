import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { DashboardChange } from '../../control/index.js';
import { silentLogger } from '../../core/index.js';
import { EventHub, type EventHubOptions } from './event-hub.js';

let hub: EventHub;
let server: ReturnType<typeof createServer>;
let publish: (change: DashboardChange) => void;
let snapshots: number;
let isWatching: boolean;

async function start(options: Partial<EventHubOptions> = {}): Promise<void> {
  snapshots = 0;
  isWatching = false;
  hub = new EventHub({
    // The hub passes its input on unread; the form does not matter here.
    snapshot: () => Promise.resolve({ calls: [++snapshots] } as never),
    watch: (told) => {
      publish = told;
      isWatching = true;
      return () => (isWatching = false);
    },
    log: silentLogger,
    ...options,
  });
  server = createServer((asked, response) => {
    const last = asked.headers['last-event-id'];
    hub.attach(response, typeof last === 'string' ? last : undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}

beforeEach(() => start());

afterEach(async () => {
  hub.disconnect();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

interface Message {
  readonly id: string;
  readonly data: { readonly type: string; readonly seq: number; readonly name?: string };
}

/** A minimal browser. */
class Browser {
  readonly messages: Message[] = [];
  readonly #response: IncomingMessage;
  #text = '';

  private constructor(response: IncomingMessage) {
    this.#response = response;
    response.on('data', (chunk: Buffer) => this.#take(chunk.toString()));
    response.on('error', () => {}); // The test leaves.
  }

  static open(lastEventId?: string): Promise<Browser> {
    const { port } = server.address() as AddressInfo;
    const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    return new Promise((resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', headers }, (response) =>
        resolve(new Browser(response)),
      );
      sent.once('error', reject);
      sent.end();
    });
  }

  get last(): Message {
    return this.messages.at(-1)!;
  }

  /** Resolves with the next part of the stream. */
  received(): Promise<unknown> {
    return once(this.#response, 'data');
  }

  pause(): void {
    this.#response.pause();
  }

  resume(): void {
    this.#response.resume();
  }

  leave(): void {
    this.#response.destroy();
  }

  #take(text: string): void {
    this.#text += text;
    const parts = this.#text.split('\n\n');
    this.#text = parts.pop() ?? '';
    for (const part of parts) {
      const [, id, data] = /^id: (\S+)\ndata: (.*)$/.exec(part) ?? [];
      if (id && data) this.messages.push({ id, data: JSON.parse(data) as Message['data'] });
    }
  }
}

/** Waits until a browser has received this many messages. */
async function has(browser: Browser, count: number): Promise<void> {
  while (browser.messages.length < count) await browser.received();
}

const change = (name: string): DashboardChange => ({ type: 'server-removed', name });
const names = ({ messages }: Browser) => messages.map(({ data }) => data.name ?? data.type);

test('a browser gets a snapshot and then every change with the next number', async () => {
  const browser = await Browser.open();
  await has(browser, 1);
  publish(change('a'));
  publish(change('b'));
  await has(browser, 3);

  expect(names(browser)).toEqual(['snapshot', 'a', 'b']);
  const [first, second, third] = browser.messages.map(({ data }) => data.seq);
  expect([second, third]).toEqual([first! + 1, first! + 2]);
});

// covers: UI-RESUMES
test('a browser that reconnects gets what it missed, in order and without a snapshot', async () => {
  const browser = await Browser.open();
  await has(browser, 1);
  publish(change('a'));
  await has(browser, 2);
  browser.leave();
  await expect.poll(() => hub.readerCount).toBe(0);
  publish(change('b'));
  publish(change('c'));

  const again = await Browser.open(browser.last.id);
  await has(again, 2);

  expect(names(again)).toEqual(['b', 'c']);
  expect(snapshots).toBe(1);
});

describe('a browser gets a snapshot instead', () => {
  test('a browser gets a snapshot if the events that it missed were evicted', async () => {
    await start({ ring: { events: 4, characters: 100_000 } });
    const browser = await Browser.open();
    await has(browser, 1);
    browser.leave();
    await expect.poll(() => hub.readerCount).toBe(0);
    for (let i = 0; i < 20; i++) publish(change(`n${i}`));

    const again = await Browser.open(browser.last.id);
    await has(again, 1);

    expect(names(again)).toEqual(['snapshot']);
  });

  test('a browser gets a snapshot if another daemon answers', async () => {
    const browser = await Browser.open('0123456789ab-7');
    await has(browser, 1);

    expect(names(browser)).toEqual(['snapshot']);
  });

  test.each(['', '-', 'x', 'constructor-1', '1e9'])('browser id %j gets a snapshot', async (id) => {
    const browser = await Browser.open(`${hub.epoch}-${id}`);
    await has(browser, 1);

    expect(names(browser)).toEqual(['snapshot']);
  });

  test('a browser gets a snapshot if nothing watched the daemon since it left', async () => {
    await start({ lingerMs: 0 });
    const browser = await Browser.open();
    await has(browser, 1);
    browser.leave();
    await expect.poll(() => isWatching).toBe(false);

    const again = await Browser.open(browser.last.id);
    await has(again, 1);

    expect(names(again)).toEqual(['snapshot']);
  });
});

// covers: UI-SLOW-BROWSER
test('a browser that stops reading delays no other, and gets a snapshot when it reads again', async () => {
  await start({ mostWaitingBytes: 50_000 });
  const [slow, quick] = await Promise.all([Browser.open(), Browser.open()]);
  await Promise.all([has(slow, 1), has(quick, 1)]);
  slow.pause();
  const count = 3_000;
  const long = 'x'.repeat(10_000);
  for (let i = 0; i < count; i++) {
    publish(change(`${i} ${long}`));
    // The quick browser reads its messages between two changes.
    if (i % 4 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  publish(change('last'));
  await expect.poll(() => quick.last.data.name).toBe('last');
  const missedBefore = slow.messages.length;
  slow.resume();
  await expect
    .poll(() => slow.messages.filter(({ data }) => data.type === 'snapshot').length)
    .toBe(2);

  expect(missedBefore).toBeLessThan(count / 2);
  expect(slow.messages.length).toBeLessThan(count);
  publish(change('after'));
  await expect.poll(() => slow.last.data.name).toBe('after');
});

test('a snapshot longer than the buffer limit is sent once, and changes follow it', async () => {
  let made = 0;
  const long = 'x'.repeat(4_000_000);
  await start({
    mostWaitingBytes: 50_000,
    snapshot: () => Promise.resolve({ calls: [long, ++made] } as never),
  });
  const browser = await Browser.open();
  await has(browser, 1);

  publish(change('after'));
  await has(browser, 2);

  expect(names(browser)).toEqual(['snapshot', 'after']);
  expect(made).toBe(1);
});

test('a change made while PML builds a snapshot follows the snapshot', async () => {
  let release = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  await start({
    snapshot: async () => {
      await gate;
      return { calls: [] } as never;
    },
  });
  const browser = await Browser.open();
  publish(change('meanwhile'));
  release();
  await has(browser, 2);

  expect(names(browser)).toEqual(['snapshot', 'meanwhile']);
});

test('a browser beyond the limit is refused', async () => {
  await start({ mostReaders: 1 });
  const browser = await Browser.open();
  await has(browser, 1);
  const { port } = server.address() as AddressInfo;

  const { status } = await fetch(`http://127.0.0.1:${port}/`);

  expect(status).toBe(503);
});
