import { stripVTControlCharacters } from 'node:util';

import { expect, test } from 'vitest';

import type { CapabilityDetails } from '../../control/index.js';
import { describeCapability } from './describe.js';

const backUp: CapabilityDetails = {
  name: 'backUp',
  status: 'active',
  isPinned: false,
  isOffered: true,
  uses: 4,
  successes: 3,
  reliability: 0.67,
  version: 2,
  description: 'back up a file',
  aliases: ['copy'],
  intents: ['back up a file', 'keep a copy'],
  signature: 'cap.backUp(args: { path: string; count?: number }): Promise<unknown>',
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'which file' },
      count: { type: ['integer', 'null'], default: 2 },
      any: true,
    },
    required: ['path'],
  },
  steps: ['task-1 files:copy path=args.path', 'result task-1'],
  code: '\nif (args.path) {\n\treturn await mcp.files.copy({ path: args.path });\n}\n',
  lock: [{ tool: 'files:copy', hash: '0123456789abcdef', state: 'same', diff: [] }],
  versions: [
    {
      version: 2,
      isCurrent: true,
      uses: 4,
      successes: 3,
      origin: 'learned',
      at: '2026-11-02T08:00:00.000Z',
      run: 'run_1',
    },
    {
      version: 1,
      isCurrent: false,
      uses: 1,
      successes: 1,
      origin: 'imported',
      at: '2026-11-01T08:00:00.000Z',
    },
  ],
  contains: ['zip'],
  containedBy: ['backUpAll'],
  failuresInRow: 0,
  averageMs: 120,
};

const shown = (changes: Partial<CapabilityDetails> = {}) =>
  stripVTControlCharacters(describeCapability({ ...backUp, ...changes }).join('\n'));

test('describeCapability shows how to call it, what it does and how its uses went', () => {
  const text = shown();

  expect(text).toMatch(/^backUp {2}active\nback up a file\nformerly copy\n\n {2}cap\.backUp\(args/);
  expect(text).toMatch(/path +string +required +which file\n +count +integer \| null +default 2/);
  expect(text).toMatch(/\n {2}any +any\n/);
  expect(text).toContain('steps\n  task-1 files:copy path=args.path\n  result task-1\n');
  expect(text).toContain('files:copy 0123456789ab unchanged');
  expect(text).toContain('calls\n  cap.zip\n\ncalled by\n  cap.backUpAll\n');
  expect(text).toMatch(/2 in use +learned .* 3 of 4 worked +run_1\n +1 +imported/);
  expect(text).toContain('3 of 4 worked, reliability 67 %, 120 ms on average');
});

test('describeCapability keeps the layout of code', () => {
  expect(shown()).toContain('code\n  if (args.path) {\n    return await mcp');
});

test('describeCapability shows a quarantine with each change and the definitions before and now', () => {
  const text = shown({
    status: 'quarantined',
    cause: 'definitions',
    reason: 'files:copy: path is gone; files:copy: target is required',
    lock: [
      {
        tool: 'files:copy',
        hash: '0123456789abcdef',
        state: 'changed',
        diff: ['- inputSchema: {}', '+ inputSchema: {"a":1}'],
      },
    ],
  });

  expect(text).toMatch(/backUp {2}quarantined\n {2}.*path is gone\n {2}.*target is required\n/);
  expect(text).toMatch(/changed since\n {4}- inputSchema: \{\}\n {4}\+ inputSchema: \{"a":1\}/);
});

test('describeCapability omits empty parts of an unused capability without parameters and calls', () => {
  const text = shown({
    uses: 0,
    successes: 0,
    averageMs: 0,
    parameters: {},
    contains: [],
    containedBy: [],
    aliases: [],
    failuresInRow: 0,
  });

  expect(text).not.toMatch(/parameters|calls|called by|formerly|NaN/);
});

test('describeCapability escapes control sequences in every field', () => {
  const evil = '\u001B[2J\u202E';
  const { lock, versions } = backUp;

  const text = shown({
    name: evil,
    reason: evil,
    description: evil,
    aliases: [evil],
    intents: [evil],
    signature: evil,
    parameters: { properties: { [evil]: { type: evil, default: evil, description: evil } } },
    steps: [evil],
    code: evil,
    lock: lock.map((one) => ({ ...one, tool: evil, hash: evil, diff: [evil] })),
    contains: [evil],
    containedBy: [evil],
    versions: versions.map((one) => ({ ...one, run: evil })),
  });

  expect(text).not.toContain('\u001B[2J');
  expect(text).not.toContain('\u202E');
});

test('describeCapability lists calls of the last proof with start and duration, nested below their caller', () => {
  const text = shown({
    invocations: [
      { call: 'cap:zip#1', tool: 'cap:zip', startMs: 0, ms: 1_500, ok: true },
      {
        call: 'files:read#1',
        tool: 'files:read',
        startMs: 5,
        ms: 20,
        ok: true,
        parent: 'cap:zip#1',
      },
      { call: 'files:copy#1', tool: 'files:copy', startMs: 5, ms: 30, ok: false },
    ],
  });

  expect(text).toMatch(
    /calls of the last proof\n {2}cap:zip#1 +\+0 ms +1\.5 s\n {4}files:read#1 +\+5 ms +20 ms\n {2}files:copy#1 +\+5 ms +30 ms +failed/,
  );
  expect(shown()).not.toContain('calls of the last proof');
});
