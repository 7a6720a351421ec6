/**
 * Random short sessions on the server that writes down every call. Most of them do what sessions
 * before them did, so that PML foresees them; the rest do something else at a moment that is chosen
 * at random. Everything that is not as promised is named.
 */
import { setTimeout as delay } from 'node:timers/promises';

import { asText } from '../../src/core/index.js';
import { type LedgerLine, servedAge, versionOf } from './ahead.js';
import type { Answer } from './pml-client.js';
import { SocketClient } from './socket-client.js';
import type { Workspace } from './workspace.js';

type Step = readonly [tool: string, args?: Readonly<Record<string, unknown>>];

/** Tools that PML may call ahead; every other one it must leave to clients. */
const MAY_BE_AHEAD = new Set(['list_values', 'get_value', 'slow_value', 'get_flipping']);

/** What sessions do again and again. The last step of most is one that PML must never make. */
const HABITS: readonly (readonly Step[])[] = [
  [['list_values'], ['get_value', { key: 'a' }], ['slow_value', { key: 'a', ms: 4 }]],
  [['get_value', { key: 'b' }], ['delete_value', { key: 'b' }], ['list_values']],
  [
    ['get_value', { key: 'c' }],
    ['put_value', { key: 'c' }],
    ['get_value', { key: 'c' }],
  ],
  [
    ['get_value', { key: 'd' }],
    ['create_note', { key: 'd' }],
  ],
  [
    ['get_value', { key: 'e' }],
    ['get_ticket', { key: 'e' }],
  ],
  [
    ['get_value', { key: 'f' }],
    ['read_meter', { key: 'f' }],
    ['get_value', { key: 'f2' }],
  ],
  [
    ['get_value', { key: 'g' }],
    ['search_web', { key: 'g' }],
  ],
  [
    ['get_value', { key: 'h' }],
    ['lookup_page', { key: 'h' }],
  ],
  [
    ['get_value', { key: 'i' }],
    ['fetch_and_remove', { key: 'i' }],
  ],
  [
    ['get_value', { key: 'k' }],
    ['get_flipping', { key: 'k' }],
    ['get_value', { key: 'k2' }],
  ],
];

/** What gets in between. */
const OTHERS: readonly Step[] = [
  ['put_value', { key: 'z' }],
  ['read_meter', { key: 'z' }],
  ['flip_definitions'],
  ['get_value', { key: 'z' }],
  ['list_values'],
];
const DISTURBED = 0.06;
const THROUGH_WORKFLOW = 0.15;
/**
 * An agent takes seconds. Here it thinks just long enough for PML to foresee something, and about as
 * long as a call ahead takes; every other time it goes on at once.
 */
const LEAST_THINK_MS = 11;
const MOST_THINK_MS = 17;

export class AheadSessions {
  readonly faults: string[] = [];
  readonly #workspace: Workspace;
  readonly #random: () => number;
  readonly #nonces = new Set<string>();
  /** The newest data that any client has seen. */
  #seen = 0;
  served = 0;
  sessions = 0;

  constructor(workspace: Workspace, random: () => number) {
    this.#workspace = workspace;
    this.#random = random;
  }

  /** Plays every habit so often that PML is sure of it. */
  async teach(client: SocketClient): Promise<void> {
    for (const habit of HABITS) {
      for (let time = 0; time < 16; time++) {
        for (const step of habit) await this.#step(client, step);
      }
    }
  }

  /** One session from its greeting to its end. False when no daemon listens. */
  async play(): Promise<boolean> {
    using client = await SocketClient.open(this.#workspace);
    if (!client) return false;
    this.sessions++;
    const habit = this.#pick(HABITS);
    for (const step of [...habit, ...this.#pick(HABITS)]) {
      if (this.#random() < DISTURBED) await this.#step(client, this.#pick(OTHERS));
      await this.#step(client, step);
      const thinks = this.#random() < 0.5;
      const thinkMs = LEAST_THINK_MS + this.#random() * (MOST_THINK_MS - LEAST_THINK_MS);
      if (thinks) await delay(thinkMs);
      if (!client.isOpen) break;
    }
    return true;
  }

  /** A client cancels a write that its server still carries out; what is read then may be old soon. */
  async playCancelled(): Promise<void> {
    using client = await SocketClient.open(this.#workspace);
    if (!client) return;
    void client.call('data__set_later', { ms: 30 }, this.#nonce());
    await delay(2);
    client.cancelLast();
    for (let time = 0; time < 12; time++) {
      for (const step of HABITS[0] ?? []) await this.#step(client, step);
    }
  }

  /** What the server wrote down against what clients did. */
  judge(ledger: readonly LedgerLine[]): readonly string[] {
    const used = new Set<string>();
    const wrong = ledger.flatMap(({ tool, args, nonce, wrote }) => {
      if (MAY_BE_AHEAD.has(tool) && !wrote) return [];
      const own = nonce ?? asText(args['nonce']);
      const isKnown = this.#nonces.has(own) && !used.has(own);
      used.add(own);
      return isKnown ? [] : [`no client called ${tool} ${JSON.stringify(args)}`];
    });
    return [...this.faults, ...wrong];
  }

  async #step(client: SocketClient, [tool, args = {}]: Step): Promise<void> {
    const floor = this.#seen;
    const isOurs = MAY_BE_AHEAD.has(tool);
    const answer = await this.#call(client, tool, { args, isOurs });
    const version = versionOf(answer);
    if (version === undefined) return; // The daemon was killed, or the tool is gone for a moment.
    const age = servedAge(answer);
    if (age !== undefined) this.served++;
    if (age !== undefined && !isOurs) this.faults.push(`${tool} was called ahead`);
    if (version < floor) {
      this.faults.push(`${tool} gave version ${version} after ${floor} was seen (age ${age})`);
    }
    this.#seen = Math.max(this.#seen, version);
  }

  /** Calls that only clients may make carry a mark, which the server writes down. */
  #call(
    client: SocketClient,
    tool: string,
    { args, isOurs }: { readonly args: object; readonly isOurs: boolean },
  ): Promise<Answer> {
    // One that changes its definition may be writing just now, which no client can know.
    const isMarked = !isOurs || tool === 'get_flipping';
    if (this.#random() >= THROUGH_WORKFLOW || tool === 'get_flipping') {
      return client.call(`data__${tool}`, args, isMarked ? this.#nonce() : undefined);
    }
    if (isOurs) {
      return client.call('pml_execute_workflow', { tasks: [{ tool: `data:${tool}`, args }] });
    }
    const nonce = this.#nonce()['test/nonce'];
    const tasks = [{ tool: `data:${tool}`, args: { ...args, nonce } }];
    return client.call('pml_execute_workflow', { tasks, approve: 'never' });
  }

  #nonce(): { readonly 'test/nonce': string } {
    const nonce = `n${this.#nonces.size}`;
    this.#nonces.add(nonce);
    return { 'test/nonce': nonce };
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#random() * items.length)]!;
  }
}
