import { resolve } from 'node:path';

import { expect, test } from 'vitest';

import { parseConfig } from '../../config/load.js';
import { quickDataDir } from './quick-data-dir.js';

const PATH = resolve('/some/where/pml.json');

test.each(['./data', '../up', '/absolute/place', 'plain'])(
  'agrees with the full reading on %s',
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
])('leaves %s to the full reading', (text) => {
  expect(quickDataDir(text, PATH)).toBe('unclear');
});

test('has nothing to say of a file without the key', () => {
  expect(quickDataDir('{ "mcpServers": {} } // x', PATH)).toEqual({ dataDir: undefined });
});
