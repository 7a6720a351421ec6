/**
 * What PML learns from executions, through the official client and over published servers: after a
 * few runs PML answers an unknown intent with the whole plan, the plan works, and a tool that works
 * replaces one that fails.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { connectSdk, resultText } from '../helpers/sdk-client.js';
import { Workspace } from '../helpers/workspace.js';

type Json = Record<string, unknown>;

interface Suggested {
  readonly mode: string;
  readonly confidence: number;
  readonly tasks: readonly {
    readonly id: string;
    readonly tool: string;
    readonly args: Json;
    readonly needs: readonly string[];
  }[];
  readonly holes: readonly unknown[];
  readonly note?: string;
  readonly why: {
    readonly compared?: string;
    readonly runs: readonly { readonly intent: string }[];
    readonly against: readonly string[];
  };
}

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const published = (name: string, ...args: string[]) => ({
  command: process.execPath,
  args: [path(`../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`), ...args],
});

/** Customers, orders and addresses. No run sends the last order before a test asks for it. */
const ORDERS = {
  tea: ['Alice Moss', '4 Mill Lane'],
  pot: ['Bob Reed', '9 Quay Street'],
  cup: ['Carla Stone', '1 Hill Road'],
  jug: ['David Marsh', '7 Park Row'],
  pan: ['Erika Ford', '3 Dock Square'],
  mug: ['Frank Hale', '8 Elm Court'],
} as const;
type Order = keyof typeof ORDERS;

let workspace: Workspace;
let client: Awaited<ReturnType<typeof connectSdk>>;
let folder: string;
let brokenFile: string;

const labelOf = (order: Order) => join(folder, 'labels', `${order}.txt`);

/** The same in five ways. */
const TOLD: Readonly<Record<Exclude<Order, 'mug'>, () => string>> = {
  tea: () =>
    `Find the order file "tea-*.txt", read who ordered, look the customer up in the knowledge graph and write the address to ${labelOf('tea')}`,
  pot: () =>
    `Make the shipping label ${labelOf('pot')}: search the orders for "pot-*.txt", read the customer name, find that customer in the graph, save the address`,
  cup: () =>
    `A label for an order please: the order matches "cup-*.txt", the buyer is written in it, their address is known in the graph; put it into ${labelOf('cup')}`,
  jug: () =>
    `Search for "jug-*.txt" among the orders, open it, look up the customer it names and write where they live into ${labelOf('jug')}`,
  pan: () =>
    `Write the address label ${labelOf('pan')} for the order "pan-*.txt": find the file, read the name, search the knowledge graph for the customer`,
};
const IN_OTHER_WORDS = () =>
  `Somebody bought something, see "mug-*.txt". Find out whose order it is and where they live according to the graph, and store that in ${labelOf('mug')}`;

const RATE = 'what is the exchange rate of EUR today?';

const tasksFor = (order: Order) => [
  {
    id: 'find',
    tool: 'files:search_files',
    args: { path: join(folder, 'orders'), pattern: `${order}-*.txt` },
  },
  { id: 'read', tool: 'files:read_text_file', args: { path: '${find.content}' } },
  { id: 'look', tool: 'memory:search_nodes', args: { query: '${read.content}' } },
  {
    id: 'write',
    tool: 'files:write_file',
    args: { path: labelOf(order), content: '${look.entities[0].observations[0]}' },
  },
];

const call = (tool: string, args: Json) => client.callTool({ name: tool, arguments: args });
const workflow = (args: Json) => call('pml_execute_workflow', args);
const suggested = async (intent: string): Promise<Suggested> => {
  return JSON.parse(resultText(await workflow({ intent, detail: 'full' }))) as Suggested;
};
const toolsOf = ({ tasks }: Suggested) => tasks.map(({ tool }) => tool);
const found = async (intent: string): Promise<readonly string[]> => {
  const { hits } = JSON.parse(resultText(await call('pml_discover', { intent }))) as {
    hits: { tool: string }[];
  };
  return hits.map(({ tool }) => tool);
};
/** PML remembers runs after it has answered. */
const expectRemembered = async (count: number) => {
  const search = async () => (await workspace.status()).search;
  await expect.poll(search, { timeout: 90_000 }).toMatchObject({ remembered: count, waiting: 0 });
};

beforeAll(async () => {
  workspace = await Workspace.create('{}');
  folder = join(workspace.path, 'data');
  brokenFile = join(workspace.path, 'broken');
  for (const name of ['orders', 'labels']) mkdirSync(join(folder, name), { recursive: true });
  for (const [order, [name]] of Object.entries(ORDERS)) {
    writeFileSync(join(folder, 'orders', `${order}-order.txt`), name);
  }
  const customers = Object.values(ORDERS).map(([name, address]) => {
    return { type: 'entity', name, entityType: 'customer', observations: [address] };
  });
  const memoryFile = join(folder, 'memory.jsonl');
  writeFileSync(memoryFile, customers.map((one) => JSON.stringify(one)).join('\n'));
  workspace.configure({
    embedding: 'gte-small',
    workflows: { approve: 'never' },
    permissions: { allow: ['*'] },
    mcpServers: {
      files: published('filesystem', folder),
      everything: published('everything', 'stdio'),
      memory: { ...published('memory'), env: { MEMORY_FILE_PATH: memoryFile } },
      money: {
        command: process.execPath,
        args: [path('../fixtures/servers/two-ways-server.mjs')],
        env: { BROKEN: brokenFile },
      },
    },
  });
  client = await connectSdk(workspace);
});

afterAll(async () => {
  await client.close();
  await workspace[Symbol.asyncDispose]();
});

describe('a procedure over two servers', () => {
  const RIGHT = [
    'files:search_files',
    'files:read_text_file',
    'memory:search_nodes',
    'files:write_file',
  ];
  let cold: Suggested;

  /** The plan of the five runs, over what the new intent names. */
  function expectWhole(answer: Suggested): void {
    const [find, read, look, write] = answer.tasks;
    expect(toolsOf(answer)).toEqual(RIGHT);
    expect(find).toMatchObject({
      args: { path: join(folder, 'orders'), pattern: 'mug-*.txt' },
      needs: [],
    });
    expect(read).toMatchObject({ args: { path: { $ref: `${find?.id}.content` } } });
    expect(look).toMatchObject({ args: { query: { $ref: `${read?.id}.content` } } });
    expect(write?.args).toEqual({
      path: labelOf('mug'),
      content: { $ref: `${look?.id}.entities[0].observations[0]` },
    });
    expect([read?.needs, look?.needs, write?.needs]).toEqual([
      expect.arrayContaining([find?.id]),
      expect.arrayContaining([read?.id]),
      expect.arrayContaining([look?.id]),
    ]);
    expect(answer.holes).toEqual([]);
    expect(answer.mode).toBe('suggestion');
    expect(answer.confidence).toBeGreaterThanOrEqual(0.7);
    expect(answer.confidence).toBeGreaterThan(cold.confidence);
  }

  test('answer says that a new procedure is not known yet', async () => {
    for (const tool of ['memory:search_nodes', 'files:write_file', 'money:exchange_rate']) {
      await expect.poll(() => found(tool), { timeout: 90_000 }).toContain(tool);
    }
    await expect
      .poll(async () => (await workspace.status()).search, { timeout: 90_000 })
      .toMatchObject({ state: 'ready', waiting: 0 });

    cold = await suggested(IN_OTHER_WORDS());

    expect(toolsOf(cold)).not.toEqual(RIGHT);
    expect(cold.mode).toBe('explicit_required');
    expect(cold.confidence).toBeLessThan(0.5);
    expect(cold.why.runs).toEqual([]);
  });

  test('procedure answers the same words after one run, whatever the order', async () => {
    const { structuredContent } = await workflow({ intent: TOLD.tea(), tasks: tasksFor('tea') });
    expect(structuredContent).toMatchObject({ status: 'completed' });
    await expectRemembered(1);

    const again = await suggested(TOLD.tea());
    const other = await suggested(TOLD.tea().replaceAll('tea', 'mug'));

    expect(toolsOf(again)).toEqual(RIGHT);
    expect(again.tasks[0]?.args).toEqual({ path: join(folder, 'orders'), pattern: 'tea-*.txt' });
    expect(again.why.runs).toMatchObject([{ intent: TOLD.tea() }]);
    expectWhole(other);
    // One run may suffice for the right plan, but not for confidence.
    expect((await suggested(IN_OTHER_WORDS())).mode).toBe('explicit_required');
  });

  test('procedure answers its intent in other words after five runs', async () => {
    for (const [order, intent] of Object.entries(TOLD).slice(1)) {
      const tasks = tasksFor(order as Order);
      const { structuredContent } = await workflow({ intent: intent(), tasks });
      expect(structuredContent).toMatchObject({ status: 'completed' });
    }
    await expectRemembered(5);
    await expect.poll(async () => toolsOf(await suggested(IN_OTHER_WORDS()))).toEqual(RIGHT);
    // PML learns how far to trust its ranking after it has answered.
    await expect.poll(async () => (await suggested(IN_OTHER_WORDS())).mode).toBe('suggestion');

    const answer = await suggested(IN_OTHER_WORDS());

    expectWhole(answer);
    const told = Object.values(TOLD).map((intent) => intent());
    expect(answer.why.runs.length).toBeGreaterThan(0);
    for (const { intent } of answer.why.runs) expect(told).toContain(intent);
  });

  test('procedure is the answer after a daemon restart, from a graph that needs no repair', async () => {
    await workspace.run('restart');

    // On a slow machine PML may answer first before the model is loaded, and says so.
    const first = await suggested(IN_OTHER_WORDS());
    await expectRemembered(5);
    await expect.poll(async () => toolsOf(await suggested(IN_OTHER_WORDS()))).toEqual(RIGHT);
    // PML learns how far to trust its ranking after it has answered.
    await expect.poll(async () => (await suggested(IN_OTHER_WORDS())).mode).toBe('suggestion');

    const isWhole = first.note === undefined;
    expect(isWhole ? toolsOf(first) : first.why.compared).toEqual(isWhole ? RIGHT : 'words');
    expectWhole(await suggested(IN_OTHER_WORDS()));
    const stats = await workspace.run('graph', 'stats');
    expect(stats.stdout).toMatch(/^provides +observed +3$/m);
    expect(stats.stdout).toMatch(/^sequence +observed +3$/m);
    const rebuilt = await workspace.run('graph', 'rebuild');
    expect(rebuilt.stdout).toContain('Made from 5 executions. Nothing differs');
  });

  test('procedure works when the agent runs the suggested plan unchanged', async () => {
    const { tasks } = await suggested(IN_OTHER_WORDS());

    const held = await workflow({ intent: IN_OTHER_WORDS(), tasks });
    expect(held.structuredContent).toMatchObject({ status: 'needs_approval' });
    const { run } = held.structuredContent as { run: string };
    const { structuredContent } = await client.callTool({
      name: 'pml_continue',
      arguments: { run, decision: 'approve' },
    });

    expect(structuredContent).toMatchObject({ status: 'completed' });
    expect(readFileSync(labelOf('mug'), 'utf8')).toBe(ORDERS.mug[1]);
  });
});

describe('of two tools that do the same', () => {
  test('search first offers the tool with the better description', async () => {
    expect((await found(RATE))[0]).toBe('money:exchange_rate');
    expect(toolsOf(await suggested(RATE))).toEqual(['money:exchange_rate']);
  });

  test('search first offers the tool that worked after the other one failed three times', async () => {
    writeFileSync(brokenFile, '');
    for (const currency of ['GBP', 'CHF', 'SEK']) {
      const intent = `tell me the exchange rate of ${currency} today`;
      const tryWith = (tool: string) => {
        return workflow({ intent, tasks: [{ id: 'rate', tool, args: { currency } }] });
      };
      expect((await tryWith('money:exchange_rate')).isError).toBe(true);
      expect((await tryWith('money:currency_quote')).isError).not.toBe(true);
    }
    await expectRemembered(9);

    const answer = await suggested(RATE);

    expect((await found(RATE))[0]).toBe('money:currency_quote');
    expect(answer.tasks).toMatchObject([
      { tool: 'money:currency_quote', args: { currency: 'EUR' } },
    ]);
    expect(answer.why.against).toContain(
      'money:exchange_rate failed in 3 of 3 calls and was left out',
    );
    const ran = await workflow({ intent: RATE, tasks: answer.tasks });
    expect(resultText(ran)).toBe('1 EUR is quoted at 1.08 USD');
  });
});
