import { resolve } from 'node:path';

import { expect, test } from 'vitest';

import { parseConfig } from '../../config/load.js';
import { quickDataDir } from './quick-data-dir.js';

const PATH = resolve('/some/where/pml.json');

test.each(['./data', '../up', '/absolute/place', 'plain'])(
  'quickDataDir agrees with the full configuration reader on %s',
  (dataDir) => {
    const text = JSON.stringify({ mcpServers: {}, dataDir });

    const { dataDir: full } = parseConfig(text, { path: PATH, env: {} });
    expect(quickDataDir(text, PATH)).toEqual({ dataDir: full });
  },
);

test.each([
  ['{"dataDir": "~/x"}'],
  ['{"dataDir": "${HOME}/x"}'],
  ['{"dataDir": 5}'],
  ['{"dataDir": "x", // here\n}'],
])('quickDataDir leaves %s to the full configuration reader', (text) => {
  expect(quickDataDir(text, PATH)).toBe('unclear');
});

test('quickDataDir finds no directory in a file without the key', () => {
  expect(quickDataDir('{ "mcpServers": {} } // x', PATH)).toEqual({ dataDir: undefined });
});
