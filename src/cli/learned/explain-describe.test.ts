import { expect, test } from 'vitest';

import type { ExecutionExplanation, PlanExplanation } from '../../control/index.js';
import type { ToolId } from '../../core/index.js';
import { describeExecution } from './explain-describe-run.js';
import { describePlanExplanation } from './explain-describe.js';

// oxlint-disable-next-line no-control-regex -- colours are control sequences
const plain = (lines: readonly string[]) => lines.join('\n').replaceAll(/\u001B\[\d+m/g, '');

const PLAN: PlanExplanation = {
  intent: 'bill order 17',
  mode: 'suggestion',
  confidence: 0.6,
  toolConfidence: 0.81,
  threshold: 0.7,
  isReady: false,
  model: 'plan-default',
  byMeaning: true,
  tasks: [
    {
      id: 'find',
      tool: 'a:find',
      layer: 0,
      needs: [],
      score: 0.93,
      signals: [
        { signal: 'likely', value: 2, share: 1.9 },
        { signal: 'apart', value: 1, share: -0.23 },
      ],
      args: [{ param: 'number', value: 17, score: 0.9, because: 'said in the request' }],
      holes: [],
    },
    {
      id: 'send',
      tool: 'a:send',
      layer: 1,
      needs: ['find'],
      score: 0.88,
      signals: [],
      args: [{ param: 'id', from: 'find.order.id', score: 0.97, because: 'flowed 3 times' }],
      holes: [{ param: 'tone', type: 'string', hint: 'one of formal, short' }],
    },
  ],
  direct: [{ from: 'a:find', to: 'a:send', score: 0.95, flowed: 3, together: 4 }],
  transitive: [{ tools: ['a:find', 'a:send', 'a:log'], score: 0.5, flowed: 2 }],
  pageRank: [{ tool: 'a:find', importance: 1 }],
  runs: [{ id: 'run_a', at: '2026-11-02T08:00:00Z', intent: 'bill order 3', share: 0.4, ok: true }],
  alternatives: [{ tool: 'a:print', score: 0.31 }],
  capabilities: [{ capability: 'cap:bill', insteadOf: ['find', 'send'] }],
  against: [{ tool: 'a:send', isInPlan: true, because: 'failed in 2 of 5 calls', share: -1.2 }],
};

test('describePlanExplanation shows a plan task by task, its gaps, and the evidence for and against it', () => {
  const text = plain(describePlanExplanation(PLAN, true));

  expect(text).toMatch(
    /^81 % sure of the tools \(at least 0\.70\), suggested: .* Weighed by plan-default\.\n/,
  );
  expect(text).toContain(
    '1. find  a:find  0.93\n   because it fits the request, but it is often called alone\n   weights: likely +1.90, apart -0.23',
  );
  expect(text).toContain('   number = 17  0.90, said in the request');
  expect(text).toContain('2. send  a:send  0.88, after find');
  expect(text).toContain('   id ← find.order.id  0.97, flowed 3 times');
  expect(text).toContain('   tone is missing: string; one of formal, short');
  expect(text).toMatch(/a:find → a:send +0\.95 +in 3 of 4 executions/);
  expect(text).toMatch(/a:find → a:send → a:log +0\.50 +rarest link seen 2 times/);
  expect(text).toMatch(/run_a +2026-11-0\d .* 40 % +"bill order 3"/);
  expect(text).toMatch(/a:send +-1\.20 +failed in 2 of 5 calls/);
  expect(text).toMatch(/cap:bill +instead of find, send/);
  expect(text).toMatch(/Considered and left out\n +a:print +0\.31$/);
});

test('describePlanExplanation uses words and percents, and leaves weights to --verbose', () => {
  const text = plain(describePlanExplanation(PLAN));

  expect(text).toMatch(/^81 % sure of the tools, suggested: [^\n]*\n/);
  expect(text).toContain(
    '1. find  a:find  93 %\n   because it fits the request, but it is often called alone\n   number = 17  90 %, said in the request',
  );
  expect(text).not.toMatch(/0\.\d\d|PageRank|weights|plan-default/);
});

test('describePlanExplanation gives advice for an intent that no tool fits', () => {
  const text = plain(describePlanExplanation({ ...PLAN, tasks: [] }));

  expect(text).toMatch(/^No tool fits "bill order 17" .*`pml search`/);
  expect(text).toContain('a:print');
});

const EXECUTION: ExecutionExplanation = {
  id: 'run_a',
  intent: 'bill order 17',
  at: '2026-11-02T08:00:00Z',
  ok: false,
  ms: 1_500,
  from: [
    {
      algorithm: 'suggest',
      at: '2026-11-02T07:59:00Z',
      intent: 'bill order 17',
      tool: 'a:find',
      place: 1,
      tools: ['a:find', 'a:send'],
      candidates: [],
      confidence: 0.81,
      mode: 'suggestion',
      match: 'exact',
    },
    {
      algorithm: 'discover',
      at: '2026-11-02T07:58:00Z',
      intent: 'orders',
      tool: 'a:find',
      place: 2,
      tools: ['a:list', 'a:find'],
      candidates: [],
    },
    {
      algorithm: 'next',
      at: '2026-11-02T08:00:01Z',
      intent: 'bill order 17. send it',
      tool: 'a:send',
      place: 1,
      tools: ['a:send'],
      candidates: [
        { tool: 'a:send', score: 0.83 },
        { tool: 'a:print', score: 0.1 },
      ],
    },
  ],
  calls: [
    { tool: 'a:find', ok: true, ms: 12, depth: 0, args: { number: 17 } },
    { tool: 'a:send\u001B[2J', ok: false, depth: 1 },
  ],
  flows: [{ from: 0, to: 1, field: 'order.id', param: 'id' }],
  edges: [
    {
      from: 'a:find',
      to: 'a:send',
      type: 'provides',
      worked: false,
      weight: 0.49,
      observed: 3,
      failed: 1,
      isLeftOut: false,
    },
  ],
  similar: [
    {
      id: 'run_b',
      at: '2026-11-01T08:00:00Z',
      intent: 'bill order 3',
      ok: true,
      share: 0.6,
      tools: ['a:find', 'a:send'],
    },
  ],
  next: [
    {
      tool: 'a:archive' as ToolId,
      probability: 0.62,
      args: { id: { $ref: 'find.order.id' } },
      missing: ['folder'],
    },
  ],
};

test('describeExecution shows the origin of a run, its calls with their values, and what they taught', () => {
  const text = plain(describeExecution(EXECUTION, true));

  expect(text).toMatch(/^run_a {2}2026-11-0\d \S+ {2}failed in 1\.5 s: "bill order 17"\n/);
  expect(text).toMatch(
    /a plan for "bill order 17" at .*, 81 % sure, taken exactly: a:find, a:send/,
  );
  expect(text).toMatch(/the search "orders" at .*: a:find at place 2/);
  expect(text).toMatch(
    /the next step for "bill order 17\. send it" at .*: a:send at place 1 of a:send 0\.83, a:print 0\.10/,
  );
  expect(text).toMatch(/a:archive +0\.62 +\{"id":\{"\$ref":"find\.order\.id"\}\} +without folder/);
  expect(text).toContain('  1. ✓ a:find  12 ms  {"number":17}');
  expect(text).toContain(String.raw`    2. ✗ a:send\u{1b}[2J  id ← 1.order.id`);
  expect(text).toMatch(/a:find → a:send +provides +weight 0\.49 +worked 3, failed 1 +failed here/);
  expect(text).toMatch(/run_b .* 60 % +"bill order 3" +a:find, a:send/);
  expect(text).not.toContain('\u001B');
});

test('describeExecution says in words what is unknown of a run', () => {
  const { ms: _, ...bare } = EXECUTION;
  const lone = { ...bare, intent: '', from: [], edges: [], similar: [], next: [] };

  const text = plain(describeExecution(lone));

  expect(text).toContain('no intent was given');
  expect(text).toContain('no recorded search or plan');
  expect(text).toContain('nothing: it takes calls of two different tools');
  expect(text).toContain('unknown: the run has no intent');
  expect(text).toContain('nothing is likely');
});
