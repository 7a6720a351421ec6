import { expect, test } from 'vitest';

import { linkTo, parseRoute } from '../router.js';
import { compareRuns } from './compare-runs.js';
import { diffLines } from './diff-lines.js';
import { componentsOf, packParts } from './graph-components.js';
import { highlight } from './highlight.js';
import { placeDag } from './place-dag.js';
import { fieldsOf, readForm } from './schema-fields.js';
import { waterfallRows } from './waterfall.js';
import { windowRows } from './window-rows.js';

test('route survives the round trip through a link, whatever characters its parts have', () => {
  const path = ['capabilities', 'a/b <c>%'];
  const query = { text: 'x & y', at: '3' };

  expect(parseRoute(linkTo(path, query))).toEqual({ path, query });
});

test('parseRoute accepts a link with a lone percent sign', () => {
  expect(parseRoute('#/runs/100%')).toEqual({ path: ['runs', '100%'], query: {} });
});

test('diff keeps common lines and marks added and removed lines', () => {
  expect(diffLines('a\nb\nc', 'a\nx\nc').map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    'same a',
    'removed b',
    'added x',
    'same c',
  ]);
});

test('joined parts of highlighted code equal the code', () => {
  const code = "const a = 'x'; // why\nreturn `t${a}` + 12 /* end";

  expect(
    highlight(code)
      .map(({ text }) => text)
      .join(''),
  ).toBe(code);
  expect(highlight(code).map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['w', 's', 'n', 'c']),
  );
});

test('a long list draws the rows on the screen and keeps its height', () => {
  const rows = windowRows(5_000, { rowHeight: 40, scrollTop: 40 * 2_500, height: 800 });

  expect(rows.to - rows.from).toBeLessThan(60);
  expect(rows.from).toBeLessThan(2_500);
  expect(rows.to).toBeGreaterThan(2_520);
  expect(rows.before + rows.after + (rows.to - rows.from) * 40).toBe(5_000 * 40);
});

test('graph places tasks in layers by their dependencies', () => {
  const dag = placeDag([
    { id: 'a', needs: [] },
    { id: 'b', needs: [] },
    { id: 'c', needs: ['a', 'b'] },
    { id: 'd', needs: [], parent: 'c' },
  ]);

  expect(dag.tasks.map(({ id, layer }) => `${id}${layer}`)).toEqual(['a0', 'b0', 'c1', 'd2']);
  expect(dag).toMatchObject({ layers: 3, rows: 2 });
});

test('a cycle in a damaged plan does not stop the page', () => {
  expect(
    placeDag([
      { id: 'a', needs: ['b'] },
      { id: 'b', needs: ['a'] },
    ]).tasks,
  ).toHaveLength(2);
});

test('a form follows the schema and reads typed values', () => {
  const schema = {
    type: 'object',
    properties: {
      name: { type: 'string' },
      count: { type: 'integer', default: 3 },
      level: { enum: [1, 2] },
      tags: { type: 'array' },
      isLoud: { type: 'boolean' },
    },
    required: ['name'],
  };
  const fields = fieldsOf(schema);

  expect(fields.map(({ kind }) => kind)).toEqual(['text', 'number', 'choice', 'json', 'boolean']);
  expect(
    readForm(fields, { name: 'n', count: '3', level: '2', tags: '["a"]', isLoud: 'true' }, schema),
  ).toEqual({ args: { name: 'n', count: 3, level: 2, tags: ['a'], isLoud: true } });
  expect(readForm(fields, { count: '1.5', tags: '[' }, schema)).toEqual({
    problems: {
      name: 'This value is needed',
      count: 'This is no whole number',
      tags: 'This is not valid JSON',
    },
  });
});

const task = (id: string, rest = {}) =>
  ({
    id,
    tool: 's:t',
    needs: [],
    layer: 0,
    status: 'completed',
    attempts: 1,
    args: '{}',
    ...rest,
  }) as const;

test('waterfall row separates queue time, run time and the pause before a retry', () => {
  const [row] = waterfallRows(
    [
      task('a', {
        readyMs: 0,
        spans: [
          { startMs: 10, ms: 5, outcome: 'failed', error: 'no' },
          { startMs: 40, ms: 5, outcome: 'completed' },
        ],
      }),
    ],
    { folded: new Set(), runMs: 45 },
  );

  expect(row?.segments.map(({ kind, from, to }) => `${kind} ${from}-${to}`)).toEqual([
    'queue 0-10',
    'failed 10-15',
    'pause 15-40',
    'run 40-45',
  ]);
});

test('waterfall folds the calls inside a task with it', () => {
  const tasks = [task('a', { startMs: 0 }), task('b', { startMs: 1, parent: 'a' })];
  const rows = (folded: readonly string[]) =>
    waterfallRows(tasks, { folded: new Set(folded), runMs: 9 }).map(
      ({ task: { id }, depth }) => `${id}${depth}`,
    );

  expect(rows([])).toEqual(['a0', 'b1']);
  expect(rows(['a'])).toEqual(['a0']);
});

test('run comparison pairs tasks and shows tasks that only one run has', () => {
  const compared = compareRuns(
    [task('a', { ms: 10, result: '1' }), task('x', { tool: 's:only' })],
    [task('a', { ms: 15, result: '2' })],
  );

  expect(compared).toEqual([
    expect.objectContaining({ key: 'a s:t', moreMs: 5, isSameArgs: true, isSameResult: false }),
    expect.objectContaining({ tool: 's:only', left: expect.anything() }),
  ]);
  expect(compared[1]).not.toHaveProperty('right');
});

test('layout finds unconnected parts of a graph, largest first, and packs them without overlap', () => {
  const node = (id: string, parent?: string) => ({
    id,
    width: 10,
    height: 10,
    ...(parent && { parent }),
  });
  const parts = componentsOf(
    [node('x'), node('y'), node('box'), node('in', 'box'), node('out')],
    [
      { from: 'x', to: 'y' },
      { from: 'in', to: 'out' },
    ],
  );
  const placed = packParts(
    parts.map((part) =>
      Object.fromEntries(part.nodes.map(({ id }, place) => [id, { x: place * 50, y: 0 }])),
    ),
  );

  expect(parts.map((part) => part.nodes.map(({ id }) => id))).toEqual([
    ['box', 'in', 'out'],
    ['x', 'y'],
  ]);
  expect(new Set(Object.values(placed).map(({ x, y }) => `${x} ${y}`)).size).toBe(5);
});
