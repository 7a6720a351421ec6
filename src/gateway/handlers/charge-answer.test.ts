import { describe, expect, test } from 'vitest';

import { estimateTokens, type JsonObject, type ToolResult } from '../../core/index.js';
import { createContextBudget } from '../../tool-text/index.js';
import { chargeAnswer, chargeList, resultTokens } from './charge-answer.js';

const fresh = createContextBudget({ windowTokens: 200_000, share: 0.05 });
const answerOf = (answer: JsonObject): ToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(answer) }],
  structuredContent: answer,
});
const text = (long: number): ToolResult => ({
  content: [{ type: 'text', text: 'x'.repeat(long) }],
});

describe('an answer is charged by what it is', () => {
  test.each([
    ['pml_discover', text(330), { discover: 100 }],
    ['pml_execute_workflow', answerOf({ status: 'suggested', tasks: [] }), { plans: 10 }],
    ['pml_execute_code', answerOf({ status: 'suggested', tools: [] }), { plans: 10 }],
    ['pml_continue', answerOf({ status: 'running', run: 'run_1', tasks: {} }), { runs: 14 }],
    ['files__read', text(330), { results: 100 }],
    ['pml_read', { ...text(330), _meta: { 'pml/run': 'run_1' } }, { results: 100 }],
    [
      'pml_read',
      { ...text(33), isError: true, _meta: { 'pml/run': 'run_1', 'pml/error': {} } },
      { runs: 10 },
    ],
  ])('%s %#', (name, result, sent) => {
    const budget = chargeAnswer(fresh, name, result);

    expect(budget.sent).toEqual({ ...fresh.sent, ...sent });
    expect(budget.usedTokens).toBe('results' in sent ? 0 : Object.values(sent)[0]);
  });
});

test('PML pays for its words about a run, and not for what the tools of the run gave', () => {
  const result = 'r'.repeat(3_300);
  const answer = answerOf({
    status: 'completed',
    run: 'run_1',
    tasks: { a: { status: 'completed', result }, b: { status: 'skipped', because: 'rejected' } },
  });

  const { sent, usedTokens } = chargeAnswer(fresh, 'pml_execute_workflow', answer);

  expect(sent.results).toBe(estimateTokens(JSON.stringify(result)));
  expect(sent.results + sent.runs).toBe(resultTokens(answer));
  expect(usedTokens).toBe(sent.runs);
  expect(sent.runs).toBeLessThan(60);
});

test('texts count once, embedded resources count, pictures do not', () => {
  const picture = { type: 'image', data: 'A'.repeat(10_000), mimeType: 'image/png' };
  const resource = { type: 'resource', resource: { uri: 'a:b', text: 'x'.repeat(33) } };

  expect(resultTokens({ content: [picture, resource] })).toBe(10);
  expect(resultTokens(answerOf({ a: 'x'.repeat(25) }))).toBe(10);
  expect(resultTokens({ content: [], structuredContent: { a: 'x'.repeat(25) } })).toBe(10);
});

test('a list is charged as menu and as other tools, and again in its place', () => {
  const tools = [
    { name: 'pml_discover', description: 'x'.repeat(100), inputSchema: { type: 'object' } },
    { name: 'files__read', description: 'x'.repeat(200), inputSchema: { type: 'object' } },
  ];
  const list = { instructions: 'x'.repeat(33), tools };

  const once = chargeList(fresh, list);

  expect(once.sent.menu).toBeGreaterThan(40);
  expect(once.sent.lists).toBeGreaterThan(60);
  expect(once.usedTokens).toBe(once.sent.menu + once.sent.lists);
  expect(chargeList(once, list)).toEqual(once);
});
