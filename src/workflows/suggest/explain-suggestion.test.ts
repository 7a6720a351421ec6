import { expect, test } from 'vitest';

import { aTrace, id } from '../../../test/helpers/graph-samples.js';
import { served } from '../../../test/helpers/ready-discovery.js';
import { evidenceWith } from '../../../test/helpers/suggest-evidence.js';
import type { ExecutionTrace } from '../../core/index.js';
import type { Suggestion } from '../../suggest/index.js';
import { explainSuggestion } from './explain-suggestion.js';

function explain(
  links: readonly string[],
  changes: {
    readonly broken?: readonly string[];
    readonly traces?: readonly ExecutionTrace[];
    readonly added?: Pick<Suggestion, 'paths' | 'wholes'>;
  } = {},
) {
  const { broken = [], traces = [] } = changes;
  const linkOf = (text: string) => {
    const [from = '', to = ''] = text.split(' ');
    return { from: id(from), to: id(to), probability: 0.75 };
  };
  const tools = new Set([...links, ...broken].flatMap((text) => text.split(' ')));
  const similar = Object.fromEntries(traces.map((trace) => [trace.id, 1 / traces.length]));
  const evidence = evidenceWith({ traces, similar });
  const suggestion: Suggestion = {
    members: [...tools].map((tool) => ({
      tool: id(tool),
      probability: 0.9,
      signals: new Float64Array(),
    })),
    links: links.map(linkOf),
    broken: broken.map(linkOf),
    others: [],
    expected: 1,
    confidence: 1,
    evidence,
    ...changes.added,
  };
  return explainSuggestion(
    { graph: evidence.graph, metrics: { current: evidence.metrics } },
    suggestion,
  );
}

test('an explanation shows a link with its probability and how often values took it', () => {
  const traces = [
    served('r1', 'x', ['a:find', 'a:read'], { bindings: [{ from: 0, to: 1 }] }),
    served('r2', 'x', ['a:find', 'a:read']),
  ];

  expect(explain(['a:find a:read'], { traces }).direct).toEqual([
    'a:find → a:read (0.75; 1 of 2 past runs)',
  ]);
});

test('an explanation shows chains of more than one step, longest first', () => {
  const { transitive } = explain([
    'a:one a:two',
    'a:two a:three',
    'a:three a:four',
    'a:five a:two',
  ]);

  expect(transitive).toEqual([
    'a:one → a:two → a:three → a:four (3 steps)',
    'a:five → a:two → a:three → a:four (3 steps)',
  ]);
  expect(explain(['a:one a:two', 'a:one a:three']).transitive).toEqual([]);
});

test('an explanation of a plan with very many paths names some of them', () => {
  const layers = Array.from({ length: 8 }, (_, layer) => [
    `a:l${layer}x`,
    `a:l${layer}y`,
    `a:l${layer}z`,
  ]);
  const links = layers
    .slice(1)
    .flatMap((layer, place) =>
      layers[place]!.flatMap((from) => layer.map((to) => `${from} ${to}`)),
    );

  expect(explain(links).transitive).toHaveLength(5);
});

test('an explanation lists the past runs that used a tool of the plan', () => {
  const traces = [
    served('r1', 'find it', ['a:find', 'a:read']),
    served('r2', 'other', ['a:other']),
    ...['r3', 'r4', 'r5'].map((run) => served(run, 'read it', ['a:read'])),
  ];

  expect(explain(['a:find a:read'], { traces }).runs).toEqual([
    { run: 'r1', intent: 'find it', share: 0.2 },
    { run: 'r3', intent: 'read it', share: 0.2 },
    { run: 'r4', intent: 'read it', share: 0.2 },
  ]);
});

test('an explanation lists the most important tool first, with rank 1', () => {
  const traces = ['r1', 'r2'].map((run) => served(run, 'x', ['a:find', 'a:read']));

  expect(Object.entries(explain(['a:find a:read'], { traces }).page_rank)[0]).toEqual([
    'a:read',
    1,
  ]);
});

test('an explanation lists tools that often fail and links left out for a cycle as counterarguments', () => {
  const failing = ['r1', 'r2'].map((run) => ({ ...aTrace(['!a:find', 'a:read']), id: run }));

  const { against } = explain(['a:find a:read'], { broken: ['a:read a:find'], traces: failing });

  expect(against).toEqual([
    'a:find failed in 2 of 2 calls',
    'a:read → a:find (0.75) was left out: it would close a cycle',
  ]);
});

test('an explanation does not hold a single failure against a tool', () => {
  const traces = [aTrace(['!a:find', 'a:read'])];

  expect(explain(['a:find a:read'], { traces }).against).toEqual([]);
});

test('an explanation shows capabilities that replace tools, and added steps', () => {
  const wholes = [
    { capability: id('cap:quote'), instead: [id('a:find')], neededBy: [id('a:send')] },
    { capability: id('cap:sum'), instead: [id('a:add'), id('a:round')], neededBy: [] },
  ];
  const paths = [{ nodes: ['a:find', 'a:read'].map(id), added: [id('a:find')], param: 'path' }];
  const traces = [
    served('r', 'x', ['a:find', 'a:read'], {
      bindings: [{ from: 0, to: 1, field: 'files[0]', param: 'path' }],
    }),
  ];

  const told = explain([], { traces, added: { wholes, paths } });
  const unknown = explain([], { added: { paths } });

  expect(told.whole).toEqual([
    'cap:quote replaces a:find; a:send needs its whole result',
    'cap:sum replaces a:add, a:round',
  ]);
  expect(told.path).toEqual([
    { nodes: ['a:find', 'a:read'], added: ['a:find'], gives: ['a:find.files[0] → a:read.path'] },
  ]);
  expect(unknown.path).toMatchObject([{ gives: ['the result of a:find → a:read.path'] }]);
  expect(explain([])).not.toHaveProperty('path');
});

// covers: ATTENTION-EXPLAINED
test('a plan says which head voted for each tool, and mentions no heads while none is in use', () => {
  const traces = ['r1', 'r2'].map((run) =>
    served(run, 'x', ['a:login', 'a:book'], { bindings: [{ from: 0, to: 1 }] }),
  );
  const plain = evidenceWith({ traces });
  const evidence = {
    ...plain,
    likely: [{ tool: id('a:book'), probability: 0.9, signals: Float64Array.of(1) }],
    attention: {
      heads: [{ name: 'about' as const, weights: Float64Array.of(1, 0, 0) }],
      borrows: false,
    },
  };
  const members = ['a:login', 'a:book'].map((tool) => ({
    tool: id(tool),
    probability: 0.9,
    signals: new Float64Array(),
  }));
  const rest = { members, links: [], broken: [], others: [], expected: 1, confidence: 1 };
  const known = { graph: plain.graph, metrics: { current: plain.metrics } };

  expect(explainSuggestion(known, { ...rest, evidence }).attention).toEqual({
    'a:login': [
      'because the request is about a:book (1.00), and 2 of 2 runs about a:book called this',
    ],
    'a:book': ['because the request is about it (1.00)'],
  });
  expect(explainSuggestion(known, { ...rest, evidence: plain })).not.toHaveProperty('attention');
});
