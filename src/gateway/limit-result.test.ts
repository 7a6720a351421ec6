import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';

import { asText, type JsonObject, type ToolResult } from '../core/index.js';
import { KeptResults } from './kept-results.js';
import { limitResult } from './limit-result.js';

const limits = { resultBytes: 32_000, previewBytes: 1_600 };
const textResult = (text: string): ToolResult => ({ content: [{ type: 'text', text }] });
const firstText = (result: ToolResult) => asText(result.content[0]?.['text']);
const handleIn = (text: string) => /r_[\w-]+/.exec(text)?.[0] ?? '';

test('passes a short result on as it is', () => {
  const result = { ...textResult('short'), structuredContent: { a: 1 }, _meta: { x: 1 } };

  expect(limitResult(result, new KeptResults(1e6), limits)).toBe(result);
});

test('passes a question on that has no content yet', () => {
  const question = { resultType: 'input_required', inputRequests: {} } as unknown as ToolResult;

  expect(limitResult(question, new KeptResults(1e6), limits)).toBe(question);
});

// covers: RESULT-LONG
test('keeps a long text whole and answers with its beginning, a link and how to read on', () => {
  const kept = new KeptResults(1e6);
  const text = 'line\n'.repeat(20_000);

  const limited = limitResult({ ...textResult(text), _meta: { 'a/b': 1 } }, kept, limits);

  const handle = handleIn(firstText(limited));
  expect(kept.get(handle)).toEqual({ text, mimeType: 'text/plain' });
  expect(limited.content[1]).toMatchObject({
    type: 'resource_link',
    uri: `pml://result/${handle}`,
  });
  expect(firstText(limited)).toContain('"tool":"pml:read_result"');
  expect(limited._meta).toEqual({ 'a/b': 1 });
});

test('names the resource where there are no meta-tools to read on with', () => {
  const kept = new KeptResults(1e6);

  const limited = limitResult(textResult('x'.repeat(40_000)), kept, {
    ...limits,
    hasMetaTools: false,
  });

  expect(firstText(limited)).toContain('pml://result/');
  expect(firstText(limited)).not.toContain('pml_execute_workflow');
});

test('lets pictures pass beside a long text', () => {
  const picture: JsonObject = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
  const result = { content: [{ type: 'text', text: 'x'.repeat(40_000) }, picture] };

  expect(limitResult(result, new KeptResults(1e6), limits).content).toContainEqual(picture);
});

describe('structured content', () => {
  const rows = Array.from({ length: 3_000 }, (_, id) => ({ id, name: `row ${id}` }));

  test('that is long and repeated as text is kept once', () => {
    const kept = new KeptResults(1e7);
    const result = { ...textResult(JSON.stringify({ rows })), structuredContent: { rows } };

    const limited = limitResult(result, kept, limits);

    const handle = handleIn(firstText(limited));
    expect(limited.structuredContent).toMatchObject({ result: handle });
    expect(JSON.parse(kept.get(handle).text)).toEqual({ rows });
  });

  test('that is short does not cost the long text beside it', () => {
    const kept = new KeptResults(1e6);
    const report = 'report '.repeat(10_000);
    const result = { ...textResult(report), structuredContent: { ok: true } };

    const limited = limitResult(result, kept, limits);

    expect(limited.structuredContent).toEqual({ ok: true });
    expect(kept.get(handleIn(firstText(limited))).text).toBe(report);
  });

  test('that is long leaves a different long text readable too', () => {
    const kept = new KeptResults(1e7);
    const report = 'report '.repeat(10_000);

    const limited = limitResult(
      { ...textResult(report), structuredContent: { rows } },
      kept,
      limits,
    );

    expect(kept.get(handleIn(firstText(limited))).text).toBe(report);
    const { result: handle } = limited.structuredContent as { result: string };
    expect(JSON.parse(kept.get(handle).text)).toEqual({ rows });
  });

  test('stays whole where the client checks it against a schema', () => {
    const result = { ...textResult(JSON.stringify({ rows })), structuredContent: { rows } };

    const limited = limitResult(result, new KeptResults(1e7), { ...limits, keepsStructured: true });

    expect(limited.structuredContent).toEqual({ rows });
    expect(firstText(limited)).toContain('kept as');
  });
});

test.each([
  ['prose', 'The quick brown fox jumps over the lazy dog. '.repeat(3_000)],
  ['JSON', JSON.stringify(Array.from({ length: 4_000 }, (_, id) => ({ id, at: id * 7 })))],
  [
    'hexadecimal',
    Array.from({ length: 40_000 }, (_, i) => ((i * 7919) % 16).toString(16)).join(''),
  ],
  ['Chinese', '敏捷的棕色狐狸跳过懒狗。'.repeat(4_000)],
  ['emoji', '😀🎉🚀'.repeat(8_000)],
  [
    'a line of keys',
    JSON.stringify(Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`ключ${i}`, i]))),
  ],
])('a preview of %s takes at most 1,000 tokens', (_what, text) => {
  const limited = limitResult(textResult(text), new KeptResults(1e7), limits);

  expect(countTokens(JSON.stringify(limited))).toBeLessThanOrEqual(1_000);
});
