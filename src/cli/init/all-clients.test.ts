import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { createSetupHome } from '../../../test/helpers/setup-home.js';
import type { Client } from '../../clients/index.js';

const PLACES: readonly (readonly [Client, string, string])[] = [
  ['codex', 'codex.toml', 'home/.codex/config.toml'],
  ['gemini', 'gemini.json', 'home/.gemini/settings.json'],
  ['goose', 'goose.yaml', 'home/.config/goose/config.yaml'],
  ['jetbrains', 'jetbrains.json', 'home/.junie/mcp/mcp.json'],
  ['opencode', 'opencode.jsonc', 'home/.config/opencode/opencode.jsonc'],
  ['zed', 'zed.json', 'home/.config/zed/settings.json'],
];

function fixture(name: string): string {
  const url = new URL(`../../../test/fixtures/clients/${name}`, import.meta.url);
  return readFileSync(url, 'utf8');
}

// covers: INIT-UNDO
test.each(PLACES)(
  'init puts PML in front of %s, a second init changes nothing, and eject restores every byte',
  async (client, name, path) => {
    const home = await createSetupHome();
    await home.write(path, `\uFEFF${fixture(name).replaceAll('\n', '\r\n')}`);
    const before = await home.snapshot();

    expect(await home.init({ clients: [client] })).toBe(0);
    const rewritten = await home.read(path);
    expect(rewritten).toContain('pml');
    expect(rewritten).not.toContain('docs-server');
    expect(await home.read('home/.pml/pml.json')).toContain('docs-server');
    expect(await home.init({ clients: [client] })).toBe(0);
    expect(await home.read(path)).toBe(rewritten);
    expect(await home.eject()).toBe(0);

    const {
      [Object.keys(await home.snapshot()).find((one) => one.endsWith('pml.json')) ?? '']: _,
      ...after
    } = await home.snapshot();
    for (const [file, content] of Object.entries(before)) expect(after[file]).toBe(content);
  },
);

test.each(PLACES.filter(([client]) => client !== 'jetbrains'))(
  'eject puts the servers of %s back into a file that changed since, and keeps the change',
  async (client, name, path) => {
    const home = await createSetupHome();
    await home.write(path, fixture(name));
    await home.init({ clients: [client] });
    const isYaml = path.endsWith('.yaml');
    const change = path.endsWith('.toml') ? '\n[added]\nlater = 1\n' : '\nADDED: later\n';
    const text = await home.read(path);
    await home.write(
      path,
      isYaml || path.endsWith('.toml')
        ? text + change
        : text.replace('"theme"', '"added": "later",\n  "theme"'),
    );

    expect(await home.eject()).toBe(0);

    const restored = await home.read(path);
    expect(restored).toContain('later');
    expect(restored).toContain('docs-server');
    expect(restored).toContain('crm.example.com');
    expect(restored).not.toContain('/opt/pml/dist/cli.js');
  },
);

test('init for a client without a file makes one, and eject removes it', async () => {
  const home = await createSetupHome();
  const clients: readonly Client[] = PLACES.map(([client]) => client);

  expect(await home.init({ clients })).toBe(0);
  const made = Object.keys(await home.snapshot());
  expect(made.some((path) => path.endsWith('opencode/opencode.json'))).toBe(true);
  expect(made.some((path) => path.endsWith('opencode.jsonc'))).toBe(false);
  expect(await home.eject()).toBe(0);

  const left = Object.keys(await home.snapshot()).filter((path) => !path.includes('.pml'));
  expect(left).toEqual([]);
});
