import { describe, expect, test } from 'vitest';

import { id } from '../../../test/helpers/past-intent.js';
import type { ExecutionTrace, JsonObject, JsonValue } from '../../core/index.js';
import type { SessionCall, Situation } from '../situation.js';
import { createCallPredictor, type LearningCallPredictor } from './call-predictor.js';

const LIST = id('files:list');
const READ = id('files:read');
const SEND = id('mail:send');

type Made = readonly [tool: SessionCall['tool'], args: JsonObject, output?: JsonValue];

function callsOf(...made: readonly Made[]): readonly SessionCall[] {
  return made.map(([tool, args, output], turn) => {
    return { tool, args, ok: true, turn, at: turn, ...(output !== undefined && { output }) };
  });
}

function situation(calls: readonly SessionCall[], session = 'now', intent = ''): Situation {
  return { session, client: 'test', intent, calls };
}

function observeAll(
  predictor: LearningCallPredictor,
  calls: readonly SessionCall[],
  session: string,
): void {
  calls.forEach((call, at) => {
    predictor.observe(situation(calls.slice(0, at), session), call);
  });
}

const create = () => createCallPredictor({ toolOf: () => ({ inputSchema: { type: 'object' } }) });

/** A folder is listed, and each of its files is read. */
function listAndRead(folder: string, names: readonly string[]): readonly SessionCall[] {
  const listing = names.map((name) => `[FILE] ${name}`).join('\n');
  return callsOf(
    [LIST, { path: `/${folder}` }, listing],
    ...names.map((name): Made => [READ, { path: `/${folder}/${name}` }, 'text']),
  );
}

// covers: PREDICT-CALLS
describe('createCallPredictor', () => {
  test('call predictor continues with the next item for a session that goes through a list', async () => {
    const predictor = create();
    for (const folder of ['one', 'two', 'three', 'four']) {
      observeAll(
        predictor,
        listAndRead(folder, [`${folder}.md`, `b-${folder}.md`, 'c.md']),
        folder,
      );
    }
    const calls = listAndRead('five', ['x.md', 'y.md', 'z.md']).slice(0, 3);

    const [first] = await predictor.predict(situation(calls));

    expect(first).toMatchObject({ tool: READ, args: { path: '/five/z.md' } });
    expect(first?.toolConfidence).toBeGreaterThanOrEqual(first?.confidence ?? 1);
  });

  test('call predictor continues a sequence of page numbers', async () => {
    const predictor = create();
    const pages = (from: number, to: number): readonly Made[] =>
      Array.from({ length: to - from + 1 }, (_, at) => [READ, { path: '/a', page: from + at }]);
    for (const session of ['a', 'b', 'c']) observeAll(predictor, callsOf(...pages(1, 5)), session);

    const [first] = await predictor.predict(situation(callsOf(...pages(7, 9))));

    expect(first).toMatchObject({ tool: READ, args: { path: '/a', page: 10 } });
  });

  test('call predictor fills an argument with a value of the request', async () => {
    const predictor = create();
    for (const name of ['a', 'b', 'c', 'd']) {
      const calls = callsOf([LIST, {}, 'nothing'], [READ, { path: `/notes/${name}.md` }]);
      calls.forEach((call, at) => {
        const intent = `Read /notes/${name}.md for me`;
        predictor.observe(situation(calls.slice(0, at), name, intent), call);
      });
    }
    const now = situation(callsOf([LIST, {}, 'nothing']), 'now', 'Read /notes/z.md for me');

    const [first] = await predictor.predict(now);

    expect(first).toMatchObject({ tool: READ, args: { path: '/notes/z.md' } });
  });

  test('call predictor learns value flows from remembered runs without their results', async () => {
    const predictor = create();
    const trace = (at: number): ExecutionTrace => ({
      id: `${at}`,
      intent: '',
      at: new Date(at),
      source: 'live',
      ok: true,
      calls: [
        { tool: LIST, ok: true, args: { path: '/inbox' } },
        { tool: SEND, ok: true, args: { to: 'team' } },
      ],
      bindings: [{ from: 0, to: 1, field: 'items[0].id', param: 'item' }],
    });
    predictor.remember([trace(1), trace(2), trace(3)]);
    const output = { items: [{ id: 'first' }, { id: 'second' }] };

    const [first] = await predictor.predict(situation(callsOf([LIST, { path: '/inbox' }, output])));

    expect(first).toMatchObject({ tool: SEND, args: { to: 'team', item: 'first' } });
  });

  test('call predictor joins single calls that are remembered one by one into one session', async () => {
    const predictor = create();
    const lone = (
      tool: SessionCall['tool'],
      at: number,
      before: readonly SessionCall['tool'][],
    ) => ({
      id: `${at}`,
      intent: '',
      at: new Date(at),
      source: 'live' as const,
      ok: true,
      calls: [{ tool, ok: true, args: { path: '/inbox' } }],
      bindings: [],
      before: before.map((one) => ({ tool: one, ok: true })),
    });
    predictor.remember([
      lone(LIST, 1, []),
      lone(READ, 2, [LIST]),
      lone(LIST, 9, []),
      lone(READ, 10, [LIST]),
    ]);

    const [first] = await predictor.predict(situation(callsOf([LIST, { path: '/other' }])));

    expect(first).toMatchObject({ tool: READ });
  });

  test('call predictor is never sure of a call it has seen only once', async () => {
    const predictor = create();
    observeAll(predictor, listAndRead('one', ['a.md']), 'one');

    const predicted = await predictor.predict(situation(listAndRead('one', ['a.md']).slice(0, 1)));

    for (const { confidence } of predicted) expect(confidence).toBeLessThan(0.7);
  });

  test('call predictor becomes surer when its predictions come true repeatedly', async () => {
    const predictor = create();
    const surest: number[] = [];
    for (let round = 0; round < 60; round++) {
      const calls = listAndRead('inbox', ['a.md', 'b.md', 'c.md', 'd.md']);
      for (const [at, call] of calls.entries()) {
        const now = situation(calls.slice(0, at), `session ${round}`);
        const [first] = await predictor.predict(now);
        if (at === 3) surest.push(first?.confidence ?? 0);
        predictor.observe(now, call);
      }
    }

    expect(surest.at(-1)).toBeGreaterThan(0.8);
    expect(surest.at(-1)).toBeGreaterThan(surest[1] ?? 1);
  });

  test('call predictor predicts nothing at the start of a session and no tool that does not exist', async () => {
    const predictor = createCallPredictor({ toolOf: () => undefined });
    observeAll(predictor, listAndRead('one', ['a.md', 'b.md']), 'one');

    expect(await predictor.predict(situation([]))).toEqual([]);
    expect(await predictor.predict(situation(listAndRead('one', ['a.md'])))).toEqual([]);
  });
});
