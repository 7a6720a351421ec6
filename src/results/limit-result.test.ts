import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';

import { keptResults } from '../../test/helpers/kept-results.js';
import { asText, type JsonObject, type JsonValue, type ToolResult } from '../core/index.js';
import { limitResult } from './limit-result.js';

const limits = { resultBytes: 32_000, previewBytes: 1_500 };
const textResult = (text: string): ToolResult => ({ content: [{ type: 'text', text }] });
const firstText = (result: ToolResult) => asText(result.content[0]?.['text']);
const handleIn = (text: string) => /r_[\w-]+/.exec(text)?.[0] ?? '';

test('limitResult passes a short result on unchanged', () => {
  const result = { ...textResult('short'), structuredContent: { a: 1 }, _meta: { x: 1 } };

  expect(limitResult(result, keptResults(), limits)).toBe(result);
});

test('limitResult passes on a question that has no content yet', () => {
  const question = { resultType: 'input_required', inputRequests: {} } as unknown as ToolResult;

  expect(limitResult(question, keptResults(), limits)).toBe(question);
});

// covers: RESULT-LONG
test('limitResult keeps a long text whole and returns its beginning, a link and how to read on', async () => {
  const kept = keptResults();
  const text = 'line\n'.repeat(20_000);

  const limited = limitResult({ ...textResult(text), _meta: { 'a/b': 1 } }, kept, limits);

  const handle = handleIn(firstText(limited));
  expect(await kept.get(handle)).toEqual({ text, mimeType: 'text/plain' });
  expect(limited.content[1]).toMatchObject({
    type: 'resource_link',
    uri: `pml://result/${handle}`,
  });
  expect(firstText(limited)).toContain('"tool":"pml:read_result"');
  expect(limited._meta).toEqual({ 'a/b': 1 });
});

test('limitResult names the resource if there are no meta-tools to read on with', () => {
  const kept = keptResults();

  const limited = limitResult(textResult('x'.repeat(40_000)), kept, {
    ...limits,
    hasMetaTools: false,
  });

  expect(firstText(limited)).toContain('pml://result/');
  expect(firstText(limited)).not.toContain('pml_execute_workflow');
});

test('limitResult passes pictures on beside a long text', () => {
  const picture: JsonObject = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
  const result = { content: [{ type: 'text', text: 'x'.repeat(40_000) }, picture] };

  expect(limitResult(result, keptResults(), limits).content).toContainEqual(picture);
});

describe('the preview', () => {
  const rows = Array.from({ length: 3_000 }, (_, id) => ({ id, name: `row ${id}` }));
  const previewIn = (value: JsonValue) =>
    firstText(limitResult(textResult(JSON.stringify(value)), keptResults(), limits));
  const dataIn = (text: string) => JSON.parse(text.split('\n')[1] ?? '') as JsonValue;

  test('a preview of a list has its type, its length and whole items', () => {
    const text = previewIn(rows);

    const shown = dataIn(text) as JsonValue[];
    expect(text).toContain('Type: {id: number, name: string}[]. 3000 items. ');
    expect(shown.length).toBeGreaterThan(20);
    expect(shown).toEqual(rows.slice(0, shown.length));
    expect(text).toContain(`First ${shown.length} of 3000, [0:${shown.length}]:`);
    expect(text).toContain(`"path":"[${shown.length}:${2 * shown.length}]"`);
  });

  test('a preview of an object with a list shows the list and how to use it without reading', () => {
    const text = previewIn({ total: 3_000, page: { rows }, tags: ['a'] });

    const handle = handleIn(text);
    const shown = dataIn(text) as JsonValue[];
    expect(shown).toEqual(rows.slice(0, shown.length));
    expect(text).toContain('3 keys; page.rows: 3000 items, tags: 1 item. ');
    expect(text).toContain(`await load("${handle}") in code`);
    expect(text).toContain(`{"$result":"${handle}","path":"page.rows[0:20].id"}`);
  });

  test('a preview of a text ends with a whole line, where the next page begins', async () => {
    const kept = keptResults();
    const lines = Array.from({ length: 9_000 }, (_, index) => `line ${index}`);

    const text = firstText(limitResult(textResult(lines.join('\n')), kept, limits));

    const shown = text.split('\n').slice(1, -2);
    const offset = Number(/"offset":(\d+)/.exec(text)?.[1]);
    const whole = (await kept.get(handleIn(text))).text;
    expect(shown).toEqual(lines.slice(0, shown.length));
    expect(whole.slice(offset)).toMatch(new RegExp(`^line ${shown.length}\n`));
    expect(text).toContain('9000 lines');
  });

  test('a preview of items that are too long is the beginning of the text', () => {
    const text = previewIn([{ long: 'x'.repeat(40_000) }]);

    expect(text).toContain('It begins:]\n[{"long":"xxx');
  });

  test('a preview of a text beside a small list does not show the list', () => {
    const text = previewIn({ tags: ['a', 'b'], body: 'word '.repeat(10_000) });

    expect(text).toContain('It begins:]\n{"tags"');
  });

  test('a preview of a result too long for the store says that it does not last', () => {
    const limited = limitResult(textResult('x'.repeat(16_000_001)), keptResults(), limits);

    expect(firstText(limited)).toContain('it is gone when the daemon ends');
  });
});

describe('structured content', () => {
  const rows = Array.from({ length: 3_000 }, (_, id) => ({ id, name: `row ${id}` }));

  test('structured content that is long and repeated as text is kept once', async () => {
    const kept = keptResults();
    const result = { ...textResult(JSON.stringify({ rows })), structuredContent: { rows } };

    const limited = limitResult(result, kept, limits);

    const handle = handleIn(firstText(limited));
    expect(limited.structuredContent).toMatchObject({ result: handle });
    expect(JSON.parse((await kept.get(handle)).text)).toEqual({ rows });
  });

  test('structured content that is short does not displace the long text beside it', async () => {
    const kept = keptResults();
    const report = 'report '.repeat(10_000);
    const result = { ...textResult(report), structuredContent: { ok: true } };

    const limited = limitResult(result, kept, limits);

    expect(limited.structuredContent).toEqual({ ok: true });
    expect((await kept.get(handleIn(firstText(limited)))).text).toBe(report);
  });

  test('structured content that is long leaves a different long text readable too', async () => {
    const kept = keptResults();
    const report = 'report '.repeat(10_000);

    const limited = limitResult(
      { ...textResult(report), structuredContent: { rows } },
      kept,
      limits,
    );

    expect((await kept.get(handleIn(firstText(limited)))).text).toBe(report);
    const { result: handle } = limited.structuredContent as { result: string };
    expect(JSON.parse((await kept.get(handle)).text)).toEqual({ rows });
  });

  test('structured content stays whole if the client checks it against a schema', () => {
    const result = { ...textResult(JSON.stringify({ rows })), structuredContent: { rows } };

    const limited = limitResult(result, keptResults(), { ...limits, keepsStructured: true });

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
  const limited = limitResult(textResult(text), keptResults(), limits);

  expect(countTokens(JSON.stringify(limited))).toBeLessThanOrEqual(1_000);
});
