import { describe, expect, test } from 'vitest';

import { catalogTool } from '../../../test/helpers/catalog-tool.js';
import { anIntent, id, withoutVectors } from '../../../test/helpers/past-intent.js';
import { served } from '../../../test/helpers/ready-discovery.js';
import { toyVector } from '../../../test/helpers/toy-embedder.js';
import type { ExecutionTrace, ToolId } from '../../core/index.js';
import { IntentMemory, type PastIntent, Reliability, SIGNALS } from '../../ranking/index.js';
import { createToolIndex, createVectorIndex } from '../../search/index.js';
import { replayIntents } from './replay.js';

const pause = async () => {};

function evidenceOf(tools: Readonly<Record<string, string>>, intents: readonly PastIntent[]) {
  const index = createToolIndex();
  const vectors = createVectorIndex<ToolId>(64);
  const memory = new IntentMemory({ dimension: 64 });
  for (const [name, text] of Object.entries(tools)) {
    index.upsert(catalogTool(name, text));
    vectors.set(id(name), toyVector(text));
  }
  for (const intent of intents) memory.add(intent);
  return { index, tools: vectors, memory, reliability: new Reliability() };
}

const OFFICE = { 'mail:send': 'Send a mail', 'fs:read': 'Read a file', 'web:get': 'Get a page' };

describe('replayIntents', () => {
  test('a replayed request is not answered by its own group', async () => {
    const alone = evidenceOf(OFFICE, [
      anIntent('ping anna', ['mail:send'], { id: 'a', group: 'g' }),
      anIntent('ping anna', ['mail:send'], { id: 'b', group: 'g' }),
      anIntent('look at the log', ['fs:read']),
    ]);

    const [example] = await replayIntents(alone, { pause });

    const memory = ['vote', 'near', 'pastWords', 'uses', 'needVote', 'company'] as const;
    const mail = example!.isRight.indexOf(true);
    const signals = example!.candidates[mail];
    expect(memory.map((name) => signals?.[SIGNALS.indexOf(name)] ?? 0)).toEqual(
      memory.map(() => 0),
    );
  });

  // covers: GATE-CONTROL
  test('a replayed request knows which candidates served a request of another group', async () => {
    // Control answers come from the same fold, which is every third request.
    const others = (at: number) => anIntent(`fetch the news ${at}`, ['web:get'], { id: `o${at}` });
    const past = evidenceOf(OFFICE, [
      anIntent('ping anna', ['mail:send'], { id: 'a', group: 'g' }),
      ...[1, 2].map(others),
      anIntent('ping anna again', ['mail:send'], { id: 'b', group: 'g' }),
      ...[3, 4].map(others),
      anIntent('read the file of the page', ['fs:read'], { id: 'c' }),
    ]);

    const examples = await replayIntents(past, { pause });

    const [ofPing, ofRead] = [examples[0]!, examples[6]!];
    // The only other group read a file; the other request of the same group does not count.
    const served = (one: (typeof examples)[number]) =>
      one.servedOthers?.[0]?.filter(Boolean).length ?? 0;
    expect(served(ofPing)).toBeLessThanOrEqual(1);
    expect(
      ofPing.servedOthers
        ?.flat()
        .some((isOther, at) => isOther && ofPing.isRight[at % ofPing.isRight.length]),
    ).not.toBe(true);
    expect(served(ofRead)).toBeLessThanOrEqual(1);
    expect(examples.some((one) => served(one) === 1)).toBe(true);
  });

  // covers: GATE-CONTROL
  test('a control answer comes from a request whose runs are left out together with the own run', async () => {
    const tools = ['mail:send', 'fs:read', 'web:get'];
    const intents = Array.from({ length: 30 }, (_, at) =>
      // Three folds, each with a tool of its own.
      withoutVectors(anIntent(`${at} send read get`, [tools[at % 3]!], { id: `r${at}` })),
    );

    const examples = await replayIntents(evidenceOf(OFFICE, intents), { pause });

    const others = examples.flatMap(({ isRight, servedOthers = [] }) =>
      servedOthers.filter((one) => one.includes(true)).map((one) => [one, isRight]),
    );
    expect(others.length).toBeGreaterThan(60);
    for (const [servedOther, isRight] of others) expect(servedOther).toEqual(isRight);
  });

  // covers: FEATURES-COLD
  test('a replayed request does not see its own run through trace features', async () => {
    const intents = [
      anIntent('ping anna', ['mail:send'], { id: 'a', group: 'g' }),
      anIntent('look at the log', ['fs:read'], { id: 'b' }),
      anIntent('fetch the news', ['web:get'], { id: 'c' }),
    ];
    const other = served('b', 'look at the log', ['fs:read', 'mail:send']);
    const planted = served('x', 'x', ['mail:send', 'mail:send'], { group: 'g' });
    const own = served('a', 'ping anna', ['mail:send'], { group: 'g' });
    const replayed = (traces: readonly ExecutionTrace[]) =>
      replayIntents(evidenceOf(OFFICE, intents), { pause, traces, tracedAt: 1 });

    const [alone] = await replayed([other]);
    const [beside] = await replayed([other, own, planted]);

    expect(alone!.features!.some((values) => values.some((value) => value !== 0))).toBe(true);
    expect(beside!.features).toEqual(alone!.features);
  });

  test('a replayed request does not see a request of another group with the same words', async () => {
    const twins = evidenceOf(OFFICE, [
      anIntent('Ping Anna!', ['mail:send'], { id: 'a' }),
      anIntent('ping anna', ['mail:send'], { id: 'b' }),
      anIntent('look at the log', ['fs:read']),
    ]);

    const examples = await replayIntents(twins, { pause });

    const vote = SIGNALS.indexOf('vote');
    expect(examples[0]!.candidates.every((signals) => signals[vote] === 0)).toBe(true);
    expect(examples[0]!.group).toBe(examples[1]!.group);
  });

  test('a replayed request does not see the searches of a failed run with the same words', async () => {
    const searched = anIntent('find the address of a person', ['web:get'], {
      id: 's',
      group: 'run',
    });
    const evidence = evidenceOf(OFFICE, [
      anIntent('ping anna', ['mail:send'], { id: 'a' }),
      searched,
    ]);
    const call = { tool: id('web:get'), ok: false };
    const run = { id: 'run', intent: 'Ping Anna', at: new Date(0), source: 'import' as const };

    const examples = await replayIntents(evidence, {
      pause,
      traces: [{ ...run, ok: false, calls: [call], bindings: [] }],
    });

    expect(new Set(examples.map(({ group }) => group)).size).toBe(1);
  });

  test('replay leaves out requests for tools that are gone', async () => {
    const intents = [anIntent('old', ['old:gone']), anIntent('of both', ['old:gone', 'fs:read'])];

    const examples = await replayIntents(evidenceOf(OFFICE, intents), { pause });

    expect(examples.map(({ group, wanted }) => [group, wanted])).toEqual([['of both', 1]]);
  });

  test('replay samples many requests evenly over the past and pauses after each', async () => {
    const intents = Array.from({ length: 1_800 }, (_, at) =>
      withoutVectors(anIntent(`ping ${at}`, ['mail:send'])),
    );
    let pauses = 0;

    const examples = await replayIntents(evidenceOf(OFFICE, intents), {
      pause: async () => void pauses++,
    });

    expect(examples).toHaveLength(900);
    expect([examples[0]?.group, examples[899]?.group]).toEqual(['ping 0', 'ping 1798']);
    expect(pauses).toBeGreaterThanOrEqual(900);
  });

  test('replay keeps candidates that only memory knows when it drops surplus ones', async () => {
    const needs = Array.from({ length: 24 }, (_, at) => `topic${at} matter${at} thing${at}`);
    const tools: Record<string, string> = { 'odd:one': 'zzz' };
    for (let at = 0; at < 600; at++) tools[`s:t${at}`] = `${needs[at % 24]} copy${at}`;
    const text = needs.join('. ');
    const intents = [text, needs.slice(6).join('. ')].map((own) =>
      anIntent(own, ['odd:one'], { needs }),
    );

    const [example] = await replayIntents(evidenceOf(tools, intents), { pause });

    expect(example!.candidates).toHaveLength(250);
    expect(example!.isRight).toContain(true);
  });
});
