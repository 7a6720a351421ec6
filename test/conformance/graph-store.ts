import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type {
  ExecutionTrace,
  ExperienceStore,
  GraphDelta,
  GraphStore,
  ToolId,
} from '../../src/core/index.js';
import { countTools } from '../helpers/count-tools.js';
import { aTrace } from './experience-store.js';

interface Stores {
  readonly experience: ExperienceStore;
  readonly graph: GraphStore;
}

const id = (text: string) => text as ToolId;
const call = (tool: string, ok = true) => ({ tool: id(tool), ok, ms: 2 });

/** The part of the graph about the tools of one server. */
function about(server: string, { nodes, edges }: GraphDelta): GraphDelta {
  const isOurs = (tool: string) => tool.startsWith(`${server}:`);
  return {
    nodes: nodes.filter((node) => isOurs(node.id)),
    edges: edges.filter(({ from, to }) => isOurs(from) || isOurs(to)),
  };
}

/** What every `GraphStore` must do. Other tests may have added to it with `countTools`. */
export function describeGraphStore(engine: string, open: () => Stores): void {
  const load = async (server: string) => about(server, await open().graph.load());

  describe(`GraphStore on ${engine}`, () => {
    test('graph store adds nodes and edges of executions once, and returns them in order', async () => {
      const { experience } = open();
      const first = aTrace('told-1', { calls: [call('told:b'), call('told:a', false)] });
      const later = aTrace('told-2', {
        at: new Date('2026-11-03T08:00:00Z'),
        calls: [call('told:b'), call('told:a'), call('told:c')],
        bindings: [{ from: 0, to: 2 }],
      });

      await experience.add([first], countTools);
      await experience.add([later, first], countTools);

      const [firstAt, lastAt] = [first.at.getTime(), later.at.getTime()];
      expect(await load('told')).toEqual({
        nodes: [
          { id: 'told:a', calls: 2, failures: 1, repeats: 0, runs: 2, totalMs: 4, lastAt },
          { id: 'told:b', calls: 2, failures: 0, repeats: 0, runs: 2, totalMs: 4, lastAt },
          { id: 'told:c', calls: 1, failures: 0, repeats: 0, runs: 1, totalMs: 2, lastAt },
        ],
        edges: [
          { from: 'told:a', to: 'told:c', type: 'sequence', observed: 1, failed: 0, lastAt },
          { from: 'told:b', to: 'told:a', type: 'sequence', observed: 1, failed: 1, lastAt },
          { from: 'told:b', to: 'told:c', type: 'provides', observed: 1, failed: 0, lastAt },
        ],
      });
      expect(lastAt).toBeGreaterThan(firstAt);
    });

    test('graph store adds neither executions nor graph if one of the two fails', async () => {
      const { experience } = open();
      const before = await experience.count();
      const calls = [call('none:a'), call('none:b')];

      await expect(
        experience.add([aTrace('none-1', { calls })], () => {
          throw new Error('no such fold');
        }),
      ).rejects.toMatchObject({ code: 'STORE_FAILED' });
      await expect(
        experience.add([aTrace('none-2', { calls })], (traces) => {
          const { nodes, edges } = countTools(traces);
          return { nodes, edges: edges.map((edge) => ({ ...edge, observed: -1 })) };
        }),
      ).rejects.toMatchObject({ code: 'STORE_FAILED' });

      expect(await experience.count()).toBe(before);
      expect(await load('none')).toEqual({ nodes: [], edges: [] });
    });

    test('graph store does not count known executions again', async () => {
      const { experience } = open();
      const known = aTrace('known-1', { calls: [call('known:a')] });
      const told: (readonly ExecutionTrace[])[] = [];
      const graphOf = (traces: readonly ExecutionTrace[]) => {
        told.push(traces);
        return countTools(traces);
      };

      await experience.add([known], graphOf);
      await experience.add([known], graphOf);

      expect(told).toEqual([[known]]);
    });

    test('graph store accepts any tool: removed, of a renamed server, with an odd or endless name', async () => {
      const { experience, graph } = open();
      const odd = ['odd:a\0b', 'odd:\ud800', 'odd:🐘 "q" \\ {}', 'odd:é', 'odd:'];
      const endless = Array.from({ length: 2_000 }, (_, place) =>
        String.fromCodePoint(0x4e00 + place),
      );
      const calls = [...odd, `odd:${endless.join('')}`, 'odd:last'].map((tool) => call(tool));

      expect(await experience.add([aTrace('odd-1', { calls })], countTools)).toEqual(['odd-1']);

      const { nodes } = await load('odd');
      expect(nodes.map((node) => node.id)).toEqual(
        ['odd:', 'odd:a\uFFFDb', 'odd:last', 'odd:é', 'odd:\uFFFD', 'odd:🐘 "q" \\ {}'].toSorted(),
      );
      expect(await graph.rebuild(countTools)).toMatchObject({ differing: 0 });
    });

    test('graph store rebuild gives the same graph as adding, in whatever parts and order', async () => {
      const { experience, graph } = open();
      const tools = ['any:a', 'any:b', 'any:c', 'cap:d'];
      const aCall = fc.record({ tool: fc.constantFrom(...tools), ok: fc.boolean() });
      const anExecution = fc.record({
        calls: fc.array(aCall, { maxLength: 5 }),
        at: fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
      });
      let count = 0;

      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(anExecution, { maxLength: 6 }), { maxLength: 4 }),
          async (parts) => {
            for (const part of parts) {
              const traces = part.map(({ calls, at }) =>
                aTrace(`any-${count++}`, {
                  at,
                  calls: calls.map(({ tool, ok }) => call(tool, ok)),
                  bindings: calls.length > 2 ? [{ from: 0, to: 2 }] : [],
                }),
              );
              await experience.add([...traces, ...traces.slice(0, 1)], countTools);
            }
            const before = await graph.load();

            expect(await graph.rebuild(countTools)).toEqual({
              executions: await experience.count(),
              differing: 0,
            });

            expect(await graph.load()).toEqual(before);
          },
        ),
        { numRuns: 6 },
      );
    });

    test('graph store rebuild corrects wrong entries and returns how many differed', async () => {
      const { experience, graph } = open();
      const silent = () => ({ nodes: [], edges: [] });
      const ends = { from: id('mend:x'), to: id('mend:y'), type: 'contains' } as const;
      const wrong = (traces: readonly ExecutionTrace[]) => ({
        nodes: countTools(traces).nodes.map((node) => ({ ...node, calls: 9 })),
        edges: [{ ...ends, observed: 1, failed: 0, lastAt: 0 }],
      });
      const calls = [call('mend:a'), call('mend:b')];
      await experience.add([aTrace('mend-1', { calls })], silent);
      await experience.add([aTrace('mend-2', { calls: [call('mend:c')] })], wrong);
      const told: number[] = [];

      const rebuilt = await graph.rebuild(countTools, { onProgress: (done) => told.push(done) });

      const executions = await experience.count();
      expect(rebuilt).toEqual({ executions, differing: 5 });
      expect(told.at(-1)).toBe(executions);
      expect(told).toEqual(told.toSorted((one, other) => one - other));
      expect(await load('mend')).toMatchObject({
        nodes: [{ id: 'mend:a' }, { id: 'mend:b' }, { id: 'mend:c', calls: 1 }],
        edges: [{ from: 'mend:a', to: 'mend:b', type: 'sequence' }],
      });
      expect(await graph.isComplete()).toBe(true);
      expect(await graph.rebuild(countTools)).toEqual({ executions, differing: 0 });
    });

    test('graph store accepts executions during a rebuild, and counts each once', async () => {
      const { experience, graph } = open();
      const many = Array.from({ length: 1_200 }, (_, place) =>
        aTrace(`turn-${place}`, {
          at: new Date(Date.UTC(2026, 9, 1) + place),
          calls: [call('turn:a'), call('turn:b', place % 3 > 0)],
        }),
      );
      await experience.add(many, countTools);
      // Dates outside the first page that the rebuild reads, one on either side.
      const dates = [new Date('2100-01-01'), new Date('1971-01-01')];
      const meanwhile = dates.map((at, place) =>
        aTrace(`meanwhile-${place}`, { at, calls: [call('turn:a'), call('turn:late')] }),
      );
      const done: string[] = [];
      let adding: Promise<unknown> | undefined;
      const graphOf = (traces: readonly ExecutionTrace[]) => {
        adding ??= experience.add(meanwhile, countTools).then(() => done.push('added'));
        return countTools(traces);
      };

      const rebuilt = await graph.rebuild(graphOf).finally(() => done.push('rebuilt'));

      await adding;
      expect(done).toEqual(['added', 'rebuilt']);
      expect(rebuilt).toEqual({ executions: await experience.count(), differing: 0 });
      expect((await load('turn')).nodes).toMatchObject([
        { id: 'turn:a', calls: 1_202 },
        { id: 'turn:b', calls: 1_200, failures: 400 },
        { id: 'turn:late', calls: 2 },
      ]);
      expect(await graph.isComplete()).toBe(true);
    });

    test('graph store stays unchanged if a rebuild fails or is cancelled', async () => {
      const { graph } = open();
      const before = await graph.load();
      const stop = new AbortController();
      const failing = () => {
        throw new Error('no such fold');
      };
      const stopping = () => {
        stop.abort();
        return { nodes: [], edges: [] };
      };

      await expect(graph.rebuild(failing)).rejects.toMatchObject({ code: 'STORE_FAILED' });
      await expect(graph.rebuild(stopping, { signal: stop.signal })).rejects.toMatchObject({
        code: 'STORE_FAILED',
      });

      expect(await graph.load()).toEqual(before);
      expect(await graph.isComplete()).toBe(true);
    });
  });
}
