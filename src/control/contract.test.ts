import { describe, expect, expectTypeOf, test } from 'vitest';

import { askControl } from '../cli/daemon/ask-control.js';
import { ask, askStarted } from '../cli/daemon/ask.js';
import type { JsonObject } from '../core/index.js';
import type { ControlContract, ControlMethod, ControlParams } from './contract.js';
import type { RunDetails } from './contract/runs.js';
import type { DaemonStatus } from './contract/status.js';
import { HANDLERS, isControlMethod } from './handlers.js';
import { readParams } from './params.js';

/** For each method: valid parameters, and invalid ones with the expected message. */
const FORMS: {
  readonly [M in ControlMethod]: {
    readonly right: ControlParams<M>;
    readonly wrong: readonly (readonly [JsonObject, RegExp])[];
  };
} = {
  status: { right: {}, wrong: [] },
  memory: { right: {}, wrong: [] },
  stop: { right: { ifUnused: true }, wrong: [[{ ifUnused: 'yes' }, /ifUnused .* true or false/]] },
  'http-open': { right: { port: 7717 }, wrong: [[{ port: '7717' }, /port .* whole number/]] },
  'http-close': { right: {}, wrong: [] },
  'ui-open': { right: {}, wrong: [] },
  'sign-in-begin': {
    right: { server: 'notes', device: true },
    wrong: [[{}, /server is missing/]],
  },
  'sign-in-wait': { right: { id: 'a', waitMs: 10 }, wrong: [[{ id: '' }, /id is missing/]] },
  'sign-in-paste': {
    right: { id: 'a', redirected: 'http://127.0.0.1/callback?code=a' },
    wrong: [[{ id: 'a' }, /redirected is missing/]],
  },
  'sign-out': { right: { server: 'notes' }, wrong: [[{ server: 1 }, /server must be a text/]] },
  'sign-ins': { right: {}, wrong: [] },
  'token-create': {
    right: { name: 'ci', servers: ['github*'], readOnly: true, expiresInMs: 1_000 },
    wrong: [
      [{}, /name is missing/],
      [{ name: 'ci', servers: [1] }, /servers must be a text/],
      [{ name: 'ci', expiresInMs: 0 }, /expiresInMs .* whole number/],
    ],
  },
  tokens: { right: {}, wrong: [] },
  'token-revoke': { right: { name: 'ci' }, wrong: [[{}, /name is missing/]] },
  tools: { right: {}, wrong: [] },
  lists: { right: { waitMs: 500 }, wrong: [[{ waitMs: -1 }, /waitMs .* whole number/]] },
  refresh: { right: { server: 'files' }, wrong: [[{ server: ['files'] }, /server .* a text/]] },
  approve: { right: { tool: 'a:x' }, wrong: [[{}, /tool is missing/]] },
  block: { right: { tool: 'a:x' }, wrong: [[{ tool: 1 }, /tool must be a text/]] },
  'tool-policies': { right: {}, wrong: [] },
  changes: { right: { limit: 20 }, wrong: [[{ limit: 'all' }, /limit .* whole number/]] },
  search: {
    right: { intent: 'read a file', server: 'f*', limit: 3, patient: true },
    wrong: [
      [{}, /Say in a few words/],
      [{ intent: 'x'.repeat(30_000) }, /characters, at most/],
      [{ intent: 'x', limit: 0.5 }, /limit .* got 0.5/],
      [{ intent: 'x', patient: 1 }, /patient/],
    ],
  },
  index: { right: { start: true, rebuild: false }, wrong: [[{ rebuild: 'x' }, /rebuild/]] },
  import: {
    right: { rows: [{}], mode: 'check' },
    wrong: [
      [{ mode: 'import' }, /rows is missing/],
      [{ rows: {}, mode: 'import' }, /rows must be a list/],
      [{ rows: [], mode: 'all' }, /mode must be one of check, dry-run, import, got "all"/],
    ],
  },
  learn: { right: {}, wrong: [] },
  explain: { right: { what: 'run_1' }, wrong: [[{ what: ' ' }, /or give the id of a run/]] },
  'metrics-ranking': { right: { last: 1 }, wrong: [[{ last: 0 }, /from 1 to 20000, got 0/]] },
  'metrics-speculation': { right: {}, wrong: [] },
  'metrics-learning': { right: {}, wrong: [] },
  forget: {
    right: { what: 'episodes' },
    wrong: [
      [{}, /what is missing/],
      [{ what: 'everything' }, /one of episodes, thresholds, speculation/],
    ],
  },
  'metrics-reliability': { right: { last: 1 }, wrong: [[{ last: 0 }, /from 1 to 20000, got 0/]] },
  'metrics-history': { right: { days: 30 }, wrong: [[{ days: 0 }, /days .* from 1/]] },
  activity: {
    right: { text: 'read', way: 'run', outcome: 'ok', before: 'a7', limit: 10 },
    wrong: [
      [{ way: 'other' }, /way must be one of meta, direct, run/],
      [{ outcome: 'x' }, /outcome must be one of/],
      [{ limit: 0 }, /limit .* from 1 to 500/],
    ],
  },
  'activity-show': { right: { id: 'a1' }, wrong: [[{}, /id is missing/]] },
  questions: { right: {}, wrong: [] },
  'run-start': {
    right: { tasks: [{ tool: 'a:x' }], userApprove: 'never' },
    wrong: [[{ tasks: [], userApprove: 'always' }, /userApprove must be one of risky/]],
  },
  'code-start': {
    right: { code: 'return 1', userApprove: 'never' },
    wrong: [[{ code: 'return 1', userApprove: 'always' }, /userApprove must be one of risky/]],
  },
  runs: { right: { limit: 1 }, wrong: [[{ limit: -1 }, /limit must be a whole number, got -1/]] },
  'run-show': { right: { run: 'run_1', full: true }, wrong: [[{ run: 7 }, /run must be a text/]] },
  'run-watch': {
    right: { run: 'run_1', after: 2, waitMs: 1 },
    wrong: [
      [{ after: 1 }, /run is missing/],
      [{ run: 'run_1', after: 0.5 }, /after/],
    ],
  },
  'run-events': {
    right: { run: 'run_1', after: 1, limit: 5 },
    wrong: [
      [{}, /run is missing/],
      [{ run: 'run_1', limit: 100_000 }, /limit .* to 2000/],
    ],
  },
  'run-decide': {
    right: { run: 'run_1', decision: 'abort' },
    wrong: [
      [{ decision: 'abort' }, /run is missing/],
      [{ run: '', decision: 'abort' }, /run is missing/],
    ],
  },
  result: {
    right: { handle: 'res_1', path: 'a.b' },
    wrong: [
      [{}, /handle is missing/],
      [{ handle: 'res_1', path: 1 }, /path must be a text/],
    ],
  },
  capabilities: { right: {}, wrong: [] },
  'capability-show': { right: { name: 'sum' }, wrong: [[{}, /name is missing/]] },
  'capability-change': {
    right: { name: 'sum', action: 'delete', force: true },
    wrong: [
      [{ name: 'sum', action: 'praise' }, /Unknown action "praise"/],
      [{ name: 'sum', action: 'rename' }, /to is missing/],
      [{ name: 'sum', action: 'merge', into: null }, /into must be a text, got null/],
      [{ name: 'sum', action: 'restore', version: '1' }, /version .* got "1"/],
      [{ name: 'sum', action: 'delete', force: 'yes' }, /force .* got "yes"/],
      [{ action: 'pin' }, /name is missing/],
    ],
  },
  'capabilities-export': { right: { name: 'sum' }, wrong: [[{ name: 1 }, /name must be a text/]] },
  'capabilities-skills': { right: { name: 'sum' }, wrong: [[{ name: {} }, /name must be a text/]] },
  'capabilities-verify': {
    right: { name: 'sum', all: true, args: { a: 1 } },
    wrong: [
      [{ args: [1] }, /args must be an object/],
      [{ all: 'yes' }, /all must be true or false/],
    ],
  },
  'capabilities-import': { right: { file: { format: 'x' } }, wrong: [] },
  'graph-stats': { right: {}, wrong: [] },
  'graph-show': { right: { id: 'a:x' }, wrong: [[{}, /id is missing/]] },
  'graph-view': {
    right: { limit: 10, focus: 'a:x', depth: 2, level: 'all' },
    wrong: [
      [{ level: 'some' }, /level must be one of collapsed, all/],
      [{ depth: 9 }, /depth .* from 1 to 5/],
    ],
  },
  'graph-path': { right: { from: 'a:x', to: 'a:y' }, wrong: [[{ from: 'a:x' }, /to is missing/]] },
  'graph-rebuild': { right: { force: true }, wrong: [[{ force: 1 }, /force/]] },
  'graph-progress': { right: {}, wrong: [] },
};

const METHODS = Object.keys(FORMS) as ControlMethod[];

describe('the contract', () => {
  test('every method has a handler, and there is no handler without a method', () => {
    expect(Object.keys(HANDLERS).toSorted()).toEqual(METHODS.toSorted());
    expectTypeOf<keyof typeof HANDLERS>().toEqualTypeOf<keyof ControlContract>();
  });

  test('isControlMethod rejects unknown names, also those that every object inherits', () => {
    expect(METHODS.every(isControlMethod)).toBe(true);
    expect(['run-forget', 'toString', '__proto__', ''].filter(isControlMethod)).toEqual([]);
  });

  test('the command line gets the answer type of a method without a cast', () => {
    expectTypeOf(askControl<'status'>).returns.resolves.toEqualTypeOf<DaemonStatus | undefined>();
    expectTypeOf(ask<'run-show'>).returns.resolves.toHaveProperty('answer');
    expectTypeOf(askStarted<'run-show'>)
      .returns.resolves.toHaveProperty('answer')
      .toEqualTypeOf<RunDetails>();
  });

  test('the command line cannot ask an unknown method or leave out a required parameter', () => {
    // Never called: the types are the test.
    const asks = [
      // @ts-expect-error -- no such method
      () => askStarted({}, 'run-forget', {}),
      // @ts-expect-error -- no such method
      () => askControl('/tmp', 'toString', {}),
      // @ts-expect-error -- run is missing
      () => ask({}, 'run-show', {}),
      // @ts-expect-error -- a limit is a number
      () => ask({}, 'runs', { limit: '20' }),
      // @ts-expect-error -- no such action
      () => ask({}, 'capability-change', { name: 'sum', action: 'praise' }),
    ];

    expect(asks).toHaveLength(5);
  });
});

// Reading has no access to a daemon, so a refused request cannot have changed anything.
describe('parameters', () => {
  test.each(METHODS)('parameters of %s are read unchanged', (method) => {
    const { right } = FORMS[method];

    expect(readParams(method, right)).toEqual(right);
  });

  test.each(
    METHODS.flatMap((method) => FORMS[method].wrong.map((one) => [method, ...one] as const)),
  )('parameters of %s as in %j are refused', (method, params, message) => {
    expect(() => readParams(method, params)).toThrow(
      expect.objectContaining({ code: 'BAD_REQUEST', message: expect.stringMatching(message) }),
    );
  });

  test('parameters that are missing, null or unknown are dropped', () => {
    expect(readParams('changes', { limit: null, more: 1 })).toEqual({});
    expect(readParams('run-watch', { run: 'run_1' })).toEqual({ run: 'run_1' });
  });

  test('the error for large parameters does not repeat them as a whole', () => {
    const rows = { text: 'x'.repeat(10_000) };

    expect(() => readParams('import', { rows, mode: 'check' })).toThrow(/^.{1,200}$/);
  });
});
