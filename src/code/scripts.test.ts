import { readdirSync, readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import {
  identityOfText,
  liftedText,
  preparedText,
  structureOfText,
} from '../../test/helpers/of-text.js';
import { compileScript, runScript } from '../../test/helpers/run-script.js';
import { createScriptServers } from '../../test/helpers/script-servers.js';
import { straightLine } from '../../test/helpers/straight-line.js';
import { effectsOf } from './flow/analyze-code.js';
import { formatStructure } from './flow/format-structure.js';

const FOLDER = new URL('../../test/fixtures/scripts/', import.meta.url);

const WITHOUT_SEMICOLONS = `const rows = (await mcp.db.query({ table: 'customers' })).rows as any[]
const active = rows.filter(c => c.active) as any[]
;[...active].reverse().forEach(c => { c.seen = true })
const cities = new Set(active.map(c => c.city))
type City = string
const sorted = [...cities].sort() as City[]
const [first, ...others] = sorted
active?.forEach(c => delete c.seen)
others.push('end')
for await (const x of [Promise.resolve('later')]) others.push(x)
;\`\${first} \${others.join(' ')}\``;

const scripts = new Map([
  ...readdirSync(FOLDER).map(
    (file) => [file, readFileSync(new URL(file, FOLDER), 'utf8')] as const,
  ),
  ['without semicolons', WITHOUT_SEMICOLONS] as const,
]);

async function run(body: string, args: Record<string, unknown> = {}) {
  const { mcp, cap, load, calls } = createScriptServers();
  const result = await runScript(body, { mcp, cap, load, args });
  return { result, calls };
}

test('the collection holds more than thirty scripts', () => {
  expect(scripts.size).toBeGreaterThan(30);
});

describe.each([...scripts])('%s', (_name, text) => {
  test('a prepared script makes the same calls and returns the same result', async () => {
    const plain = await run(compileScript(text));

    const prepared = await run(preparedText(text).source);

    expect(prepared).toEqual(plain);
    expect(plain.calls.length).toBeGreaterThan(0);
    expect(plain.result).toBeDefined();
  });

  test('a lifted script makes the same calls and returns the same result', async () => {
    const plain = await run(compileScript(text));

    const { code, defaults, secrets } = liftedText(text);
    const hidden = secrets.map(({ name, span }) => {
      const literal = text.slice(span.start, span.end);
      return [name, literal.startsWith("'") ? literal.slice(1, -1) : literal];
    });
    const lifted = await run(preparedText(code).source, {
      ...defaults,
      ...Object.fromEntries(hidden),
    });

    expect(lifted).toEqual(plain);
    for (const [, value] of hidden) expect(code).not.toContain(value);
  });

  test('the structure of a script lists every tool that the script calls', async () => {
    const { calls } = await run(compileScript(text));

    const structure = structureOfText(text);

    const { tools, capabilities, isOpen } = effectsOf(structure);
    const known = new Set([...tools, ...capabilities.map((name) => `cap:${name}`), 'load']);
    const unknown = calls.filter(({ name }) => !known.has(name));
    expect(isOpen ? [] : unknown).toEqual([]);
    expect(structure.isCut).toBe(false);
    expect(JSON.parse(JSON.stringify(structure))).toEqual(structure);
    expect(formatStructure(structure).length).toBeGreaterThan(1);
    const made = calls.map(({ name }) => name).filter((name) => name !== 'load');
    const expected = straightLine(structure)?.filter((one) => !one.startsWith('code:'));
    expect(expected ?? made).toEqual(made);
  });

  test('a script has an identity that changes with another statement', () => {
    const name = identityOfText(text);

    expect(name).toMatch(/^[0-9a-f]{64}$/);
    expect(identityOfText(`${text}\n;1`)).not.toBe(name);
  });
});
