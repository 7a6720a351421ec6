import { describe, expect, test } from 'vitest';

import { id } from '../../../test/helpers/graph-samples.js';
import { served } from '../../../test/helpers/ready-discovery.js';
import type { ExecutionTrace } from '../../core/index.js';
import { requestWords } from '../../words/request-words.js';
import { PlanMemory } from './plan-memory.js';
import { repeatedRequest } from './repeated-request.js';

const BACKUP = 'Read "notes.txt" and write it to /backup/notes.txt';
const TOOLS = ['fs:read_file', 'fs:write_file'];
const LIKELY = [...TOOLS, 'fs:delete_file', 'mail:send_mail', 'regal:buy_ticket'].map((tool) => {
  return { tool: id(tool) };
});

/** What is found for an intent after these executions; the newest are the most similar. */
function repeated(intent: string, traces: readonly ExecutionTrace[]) {
  const plans = new PlanMemory();
  for (const trace of traces) plans.add(trace);
  const similar = traces.toReversed().flatMap((trace) => {
    const plan = plans.get(trace.id);
    return plan?.ok ? [{ plan }] : [];
  });
  return repeatedRequest(intent, { plans, similar, likely: LIKELY });
}

describe('a request that was served once', () => {
  const once = [served('r1', BACKUP, TOOLS)];

  test.each([
    ['word for word', BACKUP],
    ['about something else', 'Read "todo.txt" and write it to /backup/todo.txt'],
    ['with words that say nothing', 'Please read "a.txt", then write it to /b/a.txt'],
  ])('request that was served once is repeated %s', (_, intent) => {
    expect(repeated(intent, once)).toEqual({
      tools: new Set(TOOLS),
      runs: ['r1'],
      likeness: 1,
    });
  });

  test('request is nearly repeated if it differs only in words that name no tool', () => {
    const long =
      'Carefully read the long text of "notes.txt" and write all of it down to /backup/x';
    const found = repeated(long.replace('Carefully read', 'Quickly read'), [
      served('r1', long, TOOLS),
    ]);

    expect(found?.tools).toEqual(new Set(TOOLS));
    expect(found?.likeness).toBeGreaterThan(0.8);
    expect(found?.likeness).toBeLessThan(1);
  });

  test.each([
    ['something else is done', 'Read "notes.txt" and mail it to /backup/notes.txt'],
    ['it is not to be done', 'Read "notes.txt" and do not write it to /backup/notes.txt'],
    ['less is done', 'Read "notes.txt"'],
    ['nothing is said of it', 'Again'],
  ])('request is not repeated where %s', (_, intent) => {
    expect(repeated(intent, once)).toBeUndefined();
  });

  test('request is repeated for another name, unless a tool has that name', () => {
    const tickets = [served('r1', 'Buy two tickets for Hamlet at Odeon', ['odeon:buy_ticket'])];

    expect(repeated('Buy two tickets for Macbeth at Odeon', tickets)?.runs).toEqual(['r1']);
    expect(repeated('Buy two tickets for Hamlet at Regal', tickets)).toBeUndefined();
    expect(repeated('Buy two tickets for Hamlet at Roxy', tickets)).toBeUndefined();
  });
});

test('newest successful execution of a request is repeated', () => {
  const later = served('r2', BACKUP, ['fs:copy_file']);

  expect(repeated(BACKUP, [served('r1', BACKUP, TOOLS), later])?.runs).toEqual(['r2']);
});

test('steps of one question that ran separately are repeated as a whole', () => {
  const steps = TOOLS.map((tool, place) => ({
    ...served(`r${place}`, BACKUP, [tool]),
    group: 'question',
  }));

  expect(repeated(BACKUP, steps)).toMatchObject({ tools: new Set(TOOLS), runs: ['r0', 'r1'] });
});

test('later failures lower the likeness of a repeated request, and a user rejection excludes it', () => {
  const worked = served('r1', BACKUP, TOOLS);
  const failed = (name: string): ExecutionTrace => ({ ...served(name, BACKUP, TOOLS), ok: false });
  const rejecting: ExecutionTrace = {
    ...failed('r9'),
    decisions: [{ by: 'human', kind: 'reject', atMs: 0, tools: [id('fs:write_file')] }],
  };

  expect(repeated(BACKUP, [worked, failed('r2')])?.likeness).toBe(1 / 2);
  expect(repeated(BACKUP, [worked, failed('r2'), failed('r3')])?.likeness).toBe(1 / 3);
  expect(repeated(BACKUP, [failed('r0'), worked])?.likeness).toBe(1);
  expect(repeated(BACKUP, [worked, rejecting])).toBeUndefined();
});

test('forgotten request is not repeated', () => {
  const plans = new PlanMemory({ capacity: 1 });
  plans.add(served('r1', BACKUP, TOOLS));
  plans.add(served('r2', 'something else entirely', TOOLS));

  expect(plans.asked(requestWords(BACKUP).words)).toEqual([]);
});
