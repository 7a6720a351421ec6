import { setImmediate } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { text } from '../../test/helpers/fake-tools.js';
import { recordingLogger } from '../../test/helpers/ready-discovery.js';
import type { JsonValue, ObservedOutput, OutputStore, ToolId, ToolResult } from '../core/index.js';
import { ObservedOutputs } from './observed-outputs.js';

const TOOL = { id: 'a:b' as ToolId, hash: 'h1' };

class FakeOutputStore implements OutputStore {
  readonly saved = new Map<ToolId, ObservedOutput>();
  isBroken = false;

  async load(): Promise<readonly ObservedOutput[]> {
    return [...this.saved.values()];
  }

  async save(outputs: readonly ObservedOutput[]): Promise<void> {
    if (this.isBroken) throw new Error('no connection');
    for (const output of outputs) this.saved.set(output.tool, output);
  }
}

async function opened(store = new FakeOutputStore()) {
  const log = recordingLogger();
  const outputs = new ObservedOutputs(log);
  await outputs.attach(store);
  const see = async (...results: readonly ToolResult[]) => {
    for (const result of results) outputs.observe(TOOL, result);
    await setImmediate();
    await setImmediate();
  };
  return { outputs, store, log, see };
}

const names = (schema: object | undefined) =>
  Object.keys((schema as { properties?: object } | undefined)?.properties ?? {});

test('observed shapes are merged, stored without values, and loaded by the next process', async () => {
  const { outputs, store, see } = await opened();

  await see(text('{"secret":"s3cr3t"}'), text('{"secret":"x","more":1}'));
  await outputs.settled();
  const next = await opened(store);

  expect(names(next.outputs.schemaOf(TOOL))).toEqual(['more', 'secret']);
  expect(JSON.stringify([...store.saved.values()])).not.toContain('s3cr3t');
});

test('prose and oversized results are not observed', async () => {
  const { outputs, see } = await opened();
  const list: JsonValue = Array.from({ length: 100_000 }, (_, at) => ({ at }));

  await see(text('It is done.'), text(`{"a":"${'x'.repeat(300_000)}"}`), {
    content: [],
    structuredContent: list,
  });

  expect(outputs.schemaOf(TOOL)).toBeUndefined();
});

test('an observed shape belongs to one definition of its tool', async () => {
  const { outputs, see } = await opened();
  await see(text('{"a":1}'));

  expect(outputs.schemaOf({ ...TOOL, hash: 'h2' })).toBeUndefined();
});

test('a new definition of a tool is observed as closely as the first', async () => {
  const { outputs, see } = await opened();
  await see(...Array.from({ length: 25 }, () => text('{"a":1}')));
  const changed = { ...TOOL, hash: 'h2' };

  outputs.observe(changed, text('{"b":1}'));
  await setImmediate();
  await setImmediate();

  expect(names(outputs.schemaOf(changed))).toEqual(['b']);
});

test('a result observed before the store is open does not hide the stored shape', async () => {
  const store = new FakeOutputStore();
  const before = await opened(store);
  await before.see(text('{"a":1}'), text('{"b":1}'));
  await before.outputs.settled();
  const outputs = new ObservedOutputs(recordingLogger());

  outputs.observe(TOOL, text('{"c":1}'));
  await setImmediate();
  await setImmediate();
  await outputs.attach(store);

  expect(names(outputs.schemaOf(TOOL))).toEqual(['a', 'b']);
});

test('a shape that could not be stored is stored with the next one', async () => {
  const { outputs, store, see, log } = await opened();
  store.isBroken = true;
  await see(text('{"a":1}'));
  await outputs.settled();
  store.isBroken = false;

  outputs.observe({ id: 'a:c' as ToolId, hash: 'h' }, text('{"x":1}'));
  await setImmediate();
  await setImmediate();
  await outputs.settled();

  expect(log.warnings).toHaveLength(1);
  expect([...store.saved.keys()].toSorted()).toEqual(['a:b', 'a:c']);
});

test('a result that throws when read only causes a warning', async () => {
  const { see, log } = await opened();
  const odd = {
    content: [],
    get structuredContent(): JsonValue {
      throw new Error('odd');
    },
  };

  await see(odd);

  expect(log.warnings).toEqual([expect.stringContaining('output not observed')]);
});
