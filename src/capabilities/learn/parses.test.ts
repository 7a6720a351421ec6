/** Learning and importing parse each text once, whatever they read from it. */
import type * as oxc from 'oxc-parser';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { someTools } from '../../../test/helpers/prove.js';
import { type JsonObject, parseToolId, runId } from '../../core/index.js';
import type { Capabilities } from '../capabilities.js';

const READ = 'return await mcp.files.read({ path: args.path });';

const parsed: string[] = [];
let createCapabilities: () => Capabilities;

/** Files of one worker share modules, so this reloads those that parse with a counting parser. */
beforeAll(async () => {
  vi.resetModules();
  vi.doMock('oxc-parser', async (importActual) => {
    const actual = await importActual<typeof oxc>();
    const parseSync: typeof oxc.parseSync = (file, text, options) => {
      parsed.push(text);
      return actual.parseSync(file, text, options);
    };
    return { ...actual, parseSync };
  });
  ({ createCapabilities } = await import('../../../test/helpers/prove.js'));
});

afterAll(() => {
  vi.doUnmock('oxc-parser');
  vi.resetModules();
});

beforeEach(() => void parsed.splice(0));

/** Learns code as if it had called one tool; returns the kept code. */
function learn(capabilities: Capabilities, code: string, intent: string): string {
  const learned = capabilities.learn({
    code,
    intent,
    run: runId('run-1'),
    calls: [{ tool: parseToolId('files:read').id, ok: true }],
    definitionOf: someTools(),
    ms: 10,
  });
  if (learned.kind === 'refused') throw new Error(learned.reason);
  return learned.capability.current.code;
}

/** Another machine's file: `read`, and one that calls it. */
function aFile(): JsonObject {
  const there = createCapabilities();
  learn(there, READ, 'read');
  learn(there, 'await mcp.git.log({}); return await cap.read({ path: args.a });', 'log, then read');
  parsed.splice(0);
  return there.export();
}

test('learning parses code once when the code holds no data of its task', () => {
  expect(learn(createCapabilities(), READ, 'read')).toBe(READ);

  expect(parsed).toEqual([READ]);
});

test('learning parses the written code and the kept code once each', () => {
  const written = "return await mcp.files.read({ path: 'a.txt' });";

  const kept = learn(createCapabilities(), written, 'read');

  expect(kept).toBe(READ);
  expect(parsed).toEqual([written, kept]);
});

test('importing parses the code of each entry once', () => {
  const file = aFile();
  const here = createCapabilities();

  here.import(file);

  expect(parsed).toEqual(here.list().map(({ current }) => current.code));
});

test('importing parses code once more when a capability it calls has another name here', () => {
  const file = aFile();
  const here = createCapabilities();
  learn(here, 'return (await mcp.files.read({ path: args.path })).text;', 'read');
  parsed.splice(0);

  expect(here.import(file)).toMatchObject([{ name: 'read2' }, { kind: 'imported' }]);

  expect(parsed).toEqual([
    READ,
    expect.stringContaining('cap.read({'),
    expect.stringContaining('cap.read2({'),
  ]);
});
