/**
 * Whether a call that PML makes ahead delays one that a client makes: the same call on the same
 * server, alternately with a speculation under way and with speculation off. With `maxConcurrency`
 * of 1 the server has one place, which the speculation must give up.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { PmlFolder } from './data/pml-folder.js';
import type { LineClient } from './line-client.js';
import { createReport, median, type Report, type Row } from './report.js';

const SERVER = fileURLToPath(new URL('../test/fixtures/ahead-server.mjs', import.meta.url));
const CALLS = 60;
/** Times that PML sees what comes next before it is sure. */
const LESSONS = 30;
/** Longer than any measured call: what is under way stays so. */
const SLOW = { key: 'a', ms: 120 };
const ON = { mode: 'on', callsPerMinute: 1e6, msPerMinute: 1e9, bytesPerMinute: 1e9 };
/** After so many looks nothing is going to be called ahead. */
const MOST_LOOKS = 1_000;
/** What a real call may wait for a speculation at the median. */
const MOST_DELAY_MS = 5;

/** Two clients of one daemon: one whose next call PML foresees, and one whose calls are measured. */
class Side implements AsyncDisposable {
  readonly #folder = new PmlFolder();
  readonly #ledger = join(this.#folder.path, 'ledger');
  readonly #clients: LineClient[] = [];
  readonly #isOn: boolean;

  constructor(isOn: boolean, places: number) {
    this.#isOn = isOn;
    const entry = { command: process.execPath, args: [SERVER], env: { LEDGER: this.#ledger } };
    this.#folder.configure({
      speculation: isOn ? ON : 'off',
      mcpServers: { data: { ...entry, maxConcurrency: places } },
    });
  }

  async prepare(): Promise<void> {
    this.#clients.push(await this.#folder.connect(), await this.#folder.connect());
    for (let lesson = 0; lesson < LESSONS; lesson++) {
      await this.#call(0, 'list_values');
      await this.#call(0, 'slow_value', { ...SLOW });
    }
  }

  /** The first client thinks, PML calls ahead, and the other client's call comes in between. */
  async measure(round: number): Promise<number> {
    const before = this.#slowCalls();
    await this.#call(0, 'list_values');
    // Where nothing is called ahead, the client thinks about as long.
    const looks = this.#isOn ? MOST_LOOKS : 3;
    for (let look = 0; look < looks && this.#slowCalls() === before; look++) await delay(2);
    if (this.#isOn && this.#slowCalls() === before) throw new Error('nothing was called ahead');
    const began = performance.now();
    await this.#call(1, 'get_value', { key: `r${round}` });
    const ms = performance.now() - began;
    await this.#call(0, 'slow_value', { ...SLOW });
    return ms;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients) await client[Symbol.asyncDispose]();
    this.#folder[Symbol.dispose]();
  }

  #call(client: number, tool: string, args: Record<string, unknown> = {}) {
    return this.#clients[client]!.request('tools/call', { name: `data__${tool}`, arguments: args });
  }

  #slowCalls(): number {
    if (!existsSync(this.#ledger)) return 0;
    return readFileSync(this.#ledger, 'utf8').split('"slow_value"').length - 1;
  }
}

export async function run(): Promise<Report> {
  const rows = [...(await measure(64)), ...(await measure(1))];
  const worst = Math.max(
    ...rows.filter(({ name }) => name.endsWith('added')).map(({ value }) => value),
  );
  if (worst > MOST_DELAY_MS) {
    throw new Error(`a speculation delayed real calls by ${worst.toFixed(2)} ms at the median`);
  }
  return createReport('speculation', rows);
}

async function measure(places: number): Promise<readonly Row[]> {
  await using on = new Side(true, places);
  await using off = new Side(false, places);
  await on.prepare();
  await off.prepare();
  const times = { on: [] as number[], off: [] as number[] };
  for (let round = 0; round < CALLS; round++) {
    const sides = round % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const);
    for (const side of sides) times[side].push(await { on, off }[side].measure(round));
  }
  const what = `real call, server with ${places === 1 ? 'one place' : `${places} places`}`;
  const base = median(times.off);
  const row = (name: string, value: number): Row => ({
    name: `${what}: ${name}`,
    value,
    unit: 'ms',
    n: CALLS,
  });
  return [
    row('nothing under way', base),
    { ...row('speculation under way', median(times.on)), ratio: median(times.on) / base },
    row('added', median(times.on) - base),
  ];
}
