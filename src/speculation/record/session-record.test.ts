import { describe, expect, test } from 'vitest';

import type { ToolId } from '../../core/index.js';
import { SessionRecord } from './session-record.js';

const tool = (name: string) => `a:${name}` as ToolId;
const text = (value: string) => ({ content: [{ type: 'text', text: value }] });

function newRecord() {
  let at = 0;
  return new SessionRecord('s', 'test', () => at++);
}

// covers: SPECULATION-RECORD
describe('SessionRecord', () => {
  test('calls made side by side share a turn, a call after an answer has the next one', () => {
    const record = newRecord();
    const one = record.begin(tool('one'), {});
    const two = record.begin(tool('two'), {});
    record.end(one, text('1'));
    const three = record.begin(tool('three'), {});
    record.end(two, text('2'));
    record.end(three, text('3'));

    const { calls } = record.situation();

    expect(calls.map((call) => [call.tool, call.turn, call.output])).toEqual([
      ['a:one', 1, 1],
      ['a:two', 1, 2],
      ['a:three', 2, 3],
    ]);
  });

  test('the situation before a call leaves out what it could not know', () => {
    const record = newRecord();
    const first = record.begin(tool('first'), {});
    record.end(first, text('1'));
    const one = record.begin(tool('one'), {});
    const two = record.begin(tool('two'), {});
    record.end(one, text('1'));
    record.end(two, text('2'));

    expect(record.situationBefore(two).calls.map((call) => call.tool)).toEqual(['a:first']);
  });

  test('50 calls and 64,000 characters of output are kept, newest first', () => {
    const record = newRecord();
    for (let i = 0; i < 60; i++) {
      record.end(record.begin(tool(`t${i}`), {}), text('x'.repeat(10_000)));
    }

    const { calls } = record.situation();

    expect(calls).toHaveLength(50);
    expect(calls.at(-1)?.tool).toBe('a:t59');
    expect(calls.filter((call) => call.output !== undefined)).toHaveLength(6);
    expect(calls.at(-6)?.output).toBeDefined();
  });

  test('a failed call is remembered as failed and without output', () => {
    const record = newRecord();
    record.end(record.begin(tool('gone'), { id: 1 }), undefined);

    expect(record.situation().calls).toMatchObject([
      { tool: 'a:gone', args: { id: 1 }, ok: false },
    ]);
  });

  test('the last three things a client said make up its intent', () => {
    const record = newRecord();
    for (const intent of ['one', 'two', 'two', ' ', 'three', 'four']) record.said(intent);

    expect(record.situation().intent).toBe('two\nthree\nfour');
  });
});
