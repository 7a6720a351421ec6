import { describe, expect, test } from 'vitest';

import {
  type ExecutionTrace,
  type ExperienceStore,
  principal,
  runId,
  serverName,
  toolId,
} from '../../src/core/index.js';
import { countTools } from '../helpers/count-tools.js';

const tool = (name: string) => toolId(serverName('files'), name);

export function aTrace(id: string, overrides: Partial<ExecutionTrace> = {}): ExecutionTrace {
  return {
    id,
    intent: `do ${id}`,
    at: new Date('2026-11-02T08:00:00.123Z'),
    source: 'live',
    ok: true,
    calls: [{ tool: tool('read'), ok: true, ms: 12.5 }],
    bindings: [],
    ...overrides,
  };
}

/** What every `ExperienceStore` must do. The store is empty at first; tests remove nothing. */
export function describeExperienceStore(engine: string, open: () => ExperienceStore): void {
  const add = (traces: readonly ExecutionTrace[]) => open().add(traces, countTools);
  const find = async (id: string) =>
    (await open().load({ limit: 100_000 })).find((trace) => trace.id === id);

  describe(`ExperienceStore on ${engine}`, () => {
    test('experience store is empty at first, and accepts an empty list', async () => {
      expect(await add([])).toEqual([]);
      expect(await open().count()).toBe(0);
      expect(await open().load({ limit: 10 })).toEqual([]);
    });

    test('experience store keeps the executions of each owner apart', async () => {
      const owner = principal('token', 'ci');
      await add([aTrace('of-ci', { owner }), aTrace('of-user')]);

      const own = await open().load({ limit: 10, owner });
      const stranger = await open().load({ limit: 10, owner: principal('token', 'other') });

      expect(own).toEqual([aTrace('of-ci', { owner })]);
      expect(stranger).toEqual([]);
      expect(await find('of-ci')).toBeUndefined();
      expect(await find('of-user')).toBeDefined();
    });

    test('experience store returns an execution exactly as added', async () => {
      const full = aTrace('full', {
        before: [
          { tool: tool('list'), ok: true },
          { tool: tool('stat'), ok: false },
        ],
        source: 'import',
        ok: false,
        group: 'variants',
        run: runId('run-of-full'),
        ms: 0,
        hasOrigins: true,
        decisions: [
          { by: 'human', kind: 'approve', atMs: 4.25, tools: [tool('list'), tool('read')] },
          { by: 'agent', kind: 'abort', atMs: 0, tools: [] },
        ],
        calls: [
          { tool: tool('list'), ok: true },
          {
            tool: tool('read'),
            ok: true,
            ms: 0,
            startMs: 0,
            parent: 0,
            args: { z: 'nul\0 "q" \\ 🐘', a: [1, null, { deep: 0.1 }], empty: {} },
            origins: {
              z: { source: 'literal' },
              'a.deep': { source: 'past', confirmed: 'approved' },
            },
          },
          {
            tool: tool('list'),
            ok: false,
            ms: 3,
            startMs: 0.1,
            parent: 1,
            errorType: 'not_found',
            errorMessage: 'no such file: "a" 🐘',
          },
        ],
        bindings: [
          { from: 1, to: 2, param: 'path' },
          { from: 0, to: 1, field: 'entries[0].name', param: 'path' },
          { from: 0, to: 1, field: 'entries[0].name', param: 'path' },
          { from: 0, to: 2 },
          { from: 0, to: 2, field: 'name', param: 'text', part: { template: 'nul\0 ${} "q"' } },
          { from: 1, to: 2, param: 'list', part: { template: [{ z: '${}', a: null }] } },
          { from: 1, to: 2, param: 'text', part: {} },
          { from: 1, to: 2, param: 'all', origin: { source: 'inferred', confirmed: 'seen' } },
        ],
      });
      const bare = aTrace('bare', { intent: '', calls: [] });
      const undecided = aTrace('undecided', { decisions: [], before: [] });

      expect(await add([full, bare, undecided])).toEqual(['bare', 'full', 'undecided']);

      expect(await find('full')).toStrictEqual(full);
      expect(await find('bare')).toStrictEqual(bare);
      expect(await find('undecided')).toStrictEqual(undecided);
    });

    test('experience store adds each id once, within a call and between calls', async () => {
      const first = aTrace('once', { intent: 'first' });
      const before = await open().count();

      expect(await add([first, aTrace('once', { intent: 'second' })])).toEqual(['once']);
      expect(await add([aTrace('once', { intent: 'third' }), aTrace('twice')])).toEqual(['twice']);

      expect(await open().count()).toBe(before + 2);
      expect(await find('once')).toEqual(first);
    });

    test('experience store adds each run once, whatever its id', async () => {
      const run = runId('one run');
      const first = aTrace('of a run', { run });
      const before = await open().count();

      expect(await add([first, aTrace('of the same run', { run })])).toEqual(['of a run']);
      expect(await add([aTrace('of it once more', { run }), aTrace('of none'), first])).toEqual([
        'of none',
      ]);

      expect(await open().count()).toBe(before + 2);
      expect(await find('of a run')).toEqual(first);
      expect(await find('of it once more')).toBeUndefined();
    });

    test.each([0, 1, 2, -1, 0.5])(
      'experience store adds nothing if the parent %j of a call is not before it',
      async (parent) => {
        const before = await open().count();
        const calls = [
          { tool: tool('read'), ok: true, parent },
          { tool: tool('list'), ok: true },
        ];

        await expect(
          add([aTrace('innocent'), aTrace('circular', { calls })]),
        ).rejects.toMatchObject({
          code: 'BAD_REQUEST',
          message: expect.stringContaining('Call 0 of execution circular says that call'),
        });

        expect(await open().count()).toBe(before);
      },
    );

    test('experience store adds nothing if one execution is invalid', async () => {
      const before = await open().count();
      const wrong = aTrace('wrong', { bindings: [{ from: 0, to: 1 }] });

      await expect(add([aTrace('innocent'), wrong])).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        message: expect.stringContaining('Execution wrong has a value that went from call 0 to'),
      });
      await expect(
        add([aTrace('innocent'), aTrace('undated', { at: new Date(Number.NaN) })]),
      ).rejects.toMatchObject({ code: 'STORE_FAILED' });

      expect(await open().count()).toBe(before);
    });

    test('experience store replaces characters that PostgreSQL cannot store, in ids too', async () => {
      const calls = [{ tool: tool('a\0b'), ok: true }];
      const odd = aTrace('nul\0id', { intent: 'a\0b \ud800 🐘 "q" \\ {}', group: '\0', calls });

      expect(await add([odd])).toEqual(['nul\0id']);
      expect(await add([odd])).toEqual([]);

      expect(await find('nul\uFFFDid')).toMatchObject({
        intent: 'a\uFFFDb \uFFFD 🐘 "q" \\ {}',
        group: '\uFFFD',
        calls: [{ tool: 'files:a\uFFFDb' }],
      });
    });

    test('experience store accepts an intent of megabytes and a thousand calls', async () => {
      const huge = aTrace('huge', {
        intent: 'long '.repeat(1_000_000),
        calls: Array.from({ length: 1_000 }, () => ({ tool: tool('t'.repeat(5_000)), ok: true })),
      });

      expect(await add([huge, aTrace('after huge')])).toHaveLength(2);

      expect((await find('huge'))?.intent).toHaveLength(5_000_000);
      expect((await find('huge'))?.calls).toHaveLength(1_000);
    });

    test('experience store loads the newest of thousands of executions, oldest of them first', async () => {
      const at = (second: number) => new Date(Date.UTC(2027, 0, 1) + 1_000 * second);
      const many = Array.from({ length: 3_000 }, (_, index) =>
        // Several with the same timestamp, across page boundaries.
        aTrace(`many-${String(index).padStart(4, '0')}`, { at: at(Math.floor(index / 7)) }),
      );
      expect(await add(many.toReversed())).toHaveLength(3_000);

      const loaded = await open().load({ limit: 2_100 });

      expect(loaded).toEqual(many.slice(900));
      expect(await open().load({ limit: 0 })).toEqual([]);
    });
  });
}
