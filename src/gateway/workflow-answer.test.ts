import { expect, test } from 'vitest';

import { asText, runId, taskId, type ToolResult } from '../core/index.js';
import type { RunSummary } from '../executor/index.js';
import { KeptResults } from './kept-results.js';
import { workflowAnswer } from './workflow-answer.js';

const limits = { resultBytes: 32_000, previewBytes: 1_600 };

function summaryOf(results: readonly ToolResult[]): RunSummary {
  const tasks = results.map((result, index) => ({
    id: taskId(`t${index}`),
    status: 'succeeded' as const,
    result,
    ms: 1,
  }));
  return { run: runId('run_1'), status: 'completed', tasks };
}

const textOf = (answer: ToolResult) => asText(answer.content[0]?.['text']);

test('two hundred results of any length stay near the limit of one', () => {
  const text = 'x'.repeat(5_000);
  const results = Array.from({ length: 200 }, () => ({ content: [{ type: 'text', text }] }));

  const answer = workflowAnswer(summaryOf(results), new KeptResults(1e9), limits);

  expect(textOf(answer).length).toBeLessThan(3 * limits.resultBytes);
});

test('pictures stand behind the text, as they came', () => {
  const picture = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
  const result = { content: [{ type: 'text', text: 'seen' }, picture] };

  const answer = workflowAnswer(summaryOf([result, result]), new KeptResults(1e6), limits);

  expect(answer.content.slice(1)).toEqual([picture, picture]);
  expect(answer.structuredContent).toMatchObject({ tasks: { t0: { result: 'seen' } } });
});
