/**
 * Plans over whole capabilities, through the official client: code that worked is one step, steps
 * that take its result depend on it, and PML adds the steps that supply a missing value.
 */
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
  readonly why: {
    readonly direct: readonly string[];
    readonly whole?: readonly string[];
  };
}

const SHOP = fileURLToPath(new URL('../fixtures/servers/shop-server.mjs', import.meta.url));

/** What an agent writes to find the price of a customer's last order. */
const codeFor = (email: string) => `
  const { customer_id } = await mcp.shop.find_customer({ email: '${email}' });
  const { order_id } = await mcp.shop.last_order({ customer_id });
  const { quote_id, total } = await mcp.shop.price_order({ order_id });
  return { quote_id, total };`;

/** The same in three ways. */
const LETTERS: Readonly<Record<string, string>> = {
  'cid@example.com':
    'make a quote for the last order of cid@example.com and write the letter to it',
  'dan@example.com': 'letter with a quote for what dan@example.com ordered last',
  'eve@example.com': 'quote the last order of eve@example.com, with a letter',
};
const IN_OTHER_WORDS = 'the letter that goes with the quote, for gus@example.com';

let workspace: Workspace;
let client: Awaited<ReturnType<typeof connectSdk>>;
let capability: string;

const workflow = (args: Json) => client.callTool({ name: 'pml_execute_workflow', arguments: args });
const suggested = async (intent: string): Promise<Suggested> => {
  return JSON.parse(resultText(await workflow({ intent, detail: 'full' }))) as Suggested;
};
const toolsOf = ({ tasks }: Suggested) => tasks.map(({ tool }) => tool);
/** PML remembers runs after it has answered. */
const expectRemembered = async (count: number) => {
  const search = async () => (await workspace.status()).search;
  await expect.poll(search, { timeout: 90_000 }).toMatchObject({ remembered: count, waiting: 0 });
};

beforeAll(async () => {
  workspace = await Workspace.create('{}');
  workspace.configure({
    embedding: 'gte-small',
    workflows: { approve: 'never' },
    permissions: { allow: ['*'] },
    mcpServers: { shop: { command: process.execPath, args: [SHOP] } },
  });
  client = await connectSdk(workspace);
});

afterAll(async () => {
  await client.close();
  await workspace[Symbol.asyncDispose]();
});

/** The capability, and what takes its result after it, over what the intent names. */
function expectLetter(answer: Suggested): void {
  const [quote, letter] = answer.tasks;
  expect(toolsOf(answer)).toEqual([capability, 'shop:write_letter']);
  expect(quote).toMatchObject({ args: { email: 'gus@example.com' }, needs: [] });
  expect(letter).toMatchObject({
    args: { quote_id: { $ref: `${quote?.id}.quote_id` } },
    needs: [quote?.id],
  });
  expect(answer.holes).toEqual([]);
}

describe('code that worked', () => {
  const AGAIN = 'make a quote for the last order of ann@example.com';

  test('code that worked becomes a capability', async () => {
    const learned = await client.callTool({
      name: 'pml_execute_code',
      arguments: {
        code: codeFor('bob@example.com'),
        intent: 'make a quote for the last order of bob@example.com',
      },
    });
    expect(learned.structuredContent).toMatchObject({ status: 'completed' });
    await expectRemembered(1);
    const listed = await workspace.run('capabilities', 'list', '--json');
    const { capabilities } = JSON.parse(listed.stdout) as { capabilities: { name: string }[] };
    capability = `cap:${capabilities[0]!.name}`;
  });

  test('plan for the same request has the capability as one step instead of its calls', async () => {
    const answer = await suggested(AGAIN);

    expect(answer.tasks).toMatchObject([
      { tool: capability, args: { email: 'ann@example.com' }, needs: [] },
    ]);
    expect(answer.holes).toEqual([]);
  });

  test('capability does the same work for another customer', async () => {
    const { tasks } = await suggested(AGAIN);

    const { structuredContent } = await workflow({ tasks });

    expect(structuredContent).toEqual({ quote_id: 'quote-11494', total: 4200 });
    await expectRemembered(2);
  });
});

describe('what takes the result of a capability', () => {
  test('step that takes a capability result depends on it when the request uses other words', async () => {
    for (const [email, intent] of Object.entries(LETTERS)) {
      const tasks = [
        { id: 'quote', tool: capability, args: { email } },
        { id: 'letter', tool: 'shop:write_letter', args: { quote_id: '${quote.quote_id}' } },
      ];
      const { structuredContent } = await workflow({ intent, tasks });
      expect(structuredContent).toMatchObject({ status: 'completed' });
    }
    await expectRemembered(5);

    expectLetter(await suggested(IN_OTHER_WORDS));
  });

  test('step that takes a capability result depends on it after a daemon restart', async () => {
    await workspace.run('restart');
    await expectRemembered(5);
    await expect.poll(async () => (await suggested(IN_OTHER_WORDS)).tasks.length).toBe(2);

    const answer = await suggested(IN_OTHER_WORDS);

    expectLetter(answer);
    const { structuredContent } = await workflow({ intent: IN_OTHER_WORDS, tasks: answer.tasks });
    expect(structuredContent).toMatchObject({ status: 'completed' });
    await expectRemembered(6);
  });
});

describe('a step that takes what two others give', () => {
  const TRACK = 'track the parcel of ann@example.com';
  const PATH = ['shop:find_customer', 'shop:last_order', 'shop:track_parcel'];

  test('step without a known source for its value is suggested without confidence', async () => {
    const answer = await suggested(TRACK);

    expect(toolsOf(answer)).toContain('shop:track_parcel');
    expect(answer.mode).toBe('explicit_required');
    expect(answer.confidence).toBeLessThan(0.5);
  });

  test('step gets its value from the source that past runs used', async () => {
    // These runs have no intent: PML learns from them only how values flow.
    await using other = await connectSdk(workspace);
    for (const email of ['hal@example.com', 'ida@example.com']) {
      const tasks = [
        { id: 'who', tool: 'shop:find_customer', args: { email } },
        { id: 'order', tool: 'shop:last_order', args: { customer_id: '${who.customer_id}' } },
        { id: 'track', tool: 'shop:track_parcel', args: { order_id: '${order.order_id}' } },
      ];
      const ran = await other.callTool({ name: 'pml_execute_workflow', arguments: { tasks } });
      expect(ran.isError).not.toBe(true);
    }
    await expect
      .poll(async () => (await suggested(TRACK)).why.direct.join('\n'))
      .toMatch(/shop:last_order → shop:track_parcel \([^)]*2 of 2 past runs\)/);

    const answer = await suggested(TRACK);

    expect(answer.holes).toEqual([]);
    expect(toolsOf(answer)).toEqual(expect.arrayContaining(PATH));
    const needs = new Map(answer.tasks.map(({ id, ...task }) => [id, task.needs]));
    expect(needs.get('track_parcel')).toContain('last_order');
    expect(needs.get('last_order')).toContain('find_customer');
    const own = answer.tasks.filter(({ tool }) => PATH.includes(tool));
    const { structuredContent } = await workflow({ tasks: own });
    expect(structuredContent).toMatchObject({
      tasks: { track_parcel: { result: { place: 'on its way: order-11494' } } },
    });
  });
});
