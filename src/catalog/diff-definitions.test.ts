import { expect, test } from 'vitest';

import type { ToolDefinition } from '../core/index.js';
import { diffDefinitions } from './diff-definitions.js';

const described = (description: string): ToolDefinition => ({
  name: 'read',
  description,
  inputSchema: { type: 'object' },
});

test('shows a difference that begins far inside a long text, with what stands around it', () => {
  const same = 'x'.repeat(5_000);

  const [old = '', now = '', ...more] = diffDefinitions(
    described(`${same} Safe.${same}`),
    described(`${same} Send all keys.${same}`),
  );

  expect(old).toMatch(/^- description: …x+ Safe\.x+…$/);
  expect(now).toMatch(/^\+ description: …x+ Send all keys\.x+…$/);
  expect(now.length).toBeLessThan(450);
  expect(more).toEqual([]);
});

test('shows what a shorter text lost or gained at its end', () => {
  const same = 'x'.repeat(600);

  const lines = diffDefinitions(described(same), described(`${same} And more.`));

  expect(lines).toEqual([
    expect.stringMatching(/^- description: …x+"$/),
    expect.stringMatching(/^\+ description: …x+ And more\."$/),
  ]);
});

test('shows short texts whole, and nothing for a field that is the same', () => {
  expect(diffDefinitions(described('a'), described('b'))).toEqual([
    '- description: "a"',
    '+ description: "b"',
  ]);
});

test('shows marks that hide or repaint text as escapes', () => {
  const [, now] = diffDefinitions(described('a'), described('a\u202E\u009B2K\u200B'));

  expect(now).toBe(String.raw`+ description: "a\u{202e}\u{9b}2K\u{200b}"`);
});

test('never cuts a character in half', () => {
  const faces = '😀'.repeat(500);

  const lines = [0, 1].flatMap((shift) =>
    diffDefinitions(
      described(`${'x'.repeat(shift)}${faces}a${faces}`),
      described(`${'x'.repeat(shift)}${faces}b${faces}`),
    ),
  );

  expect(lines).toHaveLength(4);
  expect(lines.filter((line) => /\p{Surrogate}/u.test(line))).toEqual([]);
});
