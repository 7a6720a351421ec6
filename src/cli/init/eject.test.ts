import { chmod, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { createSetupHome } from '../../../test/helpers/setup-home.js';
import { parseJsonc } from '../../config/text/parse-jsonc.js';

const CURSOR = 'home/.cursor/mcp.json';
const text = '{ // mine\n  "mcpServers": { "fs": { "command": "x" } }\n}\n';

/** Blanks and comments that JSON with comments allows between any two tokens. */
const gap = fc.constantFrom(
  '',
  ' ',
  '\n',
  '\t',
  '\r\n  ',
  '/* c */',
  ' // c\n',
  ' /* "mcpServers": {} */ ',
);
const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));

/** Writes a value with other blanks, comments and trailing commas each time. */
function write(value: unknown, gaps: () => string): string {
  const list = (items: readonly string[], [open, close]: readonly [string, string]) =>
    `${open}${gaps()}${items.join(`${gaps()},${gaps()}`)}${gaps()}${items.length > 0 && gaps().length > 3 ? ',' : ''}${gaps()}${close}`;
  if (Array.isArray(value))
    return list(
      value.map((item) => write(item, gaps)),
      ['[', ']'],
    );
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}${gaps()}:${gaps()}${write(item, gaps)}`,
  );
  return list(entries, ['{', '}']);
}

const name = fc.string({ minLength: 1, maxLength: 8 }).filter((key) => key !== '__proto__');
const servers = fc.dictionary(
  name,
  fc.oneof(
    fc.record({
      command: fc.constantFrom('a', 'b'),
      args: fc.array(fc.string(), { maxLength: 2 }),
    }),
    fc.record({ url: fc.webUrl() }),
    scalar,
  ),
  { maxKeys: 4 },
);
const file = fc
  .record({
    rest: fc.dictionary(name, fc.array(scalar, { maxLength: 3 }), { maxKeys: 3 }),
    servers,
  })
  .map((parts) => ({ ...parts.rest, mcpServers: parts.servers }));
const jsonc = fc
  .tuple(file, fc.array(gap, { minLength: 1, maxLength: 40 }), fc.boolean())
  .map(([value, gaps, hasMark]) => {
    let next = 0;
    const cycle = () => gaps[next++ % gaps.length] ?? '';
    return `${hasMark ? '\uFEFF' : ''}${cycle()}${write(value, cycle)}${cycle()}`;
  });

// covers: INIT-UNDO
test('eject after init restores every file byte for byte, whatever its comments and blanks', async () => {
  await fc.assert(
    fc.asyncProperty(jsonc, async (original) => {
      const home = await createSetupHome();
      await home.write(CURSOR, original);

      const initCode = await home.init({ clients: ['cursor'] });
      const between = parseJsonc((await home.read(CURSOR)).replace('\uFEFF', ''));
      const ejectCode = await home.eject();

      expect([initCode, ejectCode]).toEqual([0, 0]);
      expect(between).toMatchObject({ problems: [], value: { mcpServers: { pml: {} } } });
      expect(await home.read(CURSOR)).toBe(original);
    }),
    { numRuns: 100, seed: 7 },
  );
});

describe('eject', () => {
  test('eject removes a file that init created, and a second eject has nothing to do', async () => {
    const home = await createSetupHome();
    await home.init({ clients: ['cursor'] });

    expect(await home.eject()).toBe(0);

    await expect(home.read(CURSOR)).rejects.toThrow('ENOENT');
    home.printed();
    expect(await home.eject()).toBe(0);
    expect(home.printed()).toBe('Nothing to do.');
  });

  test('eject keeps the file mode and leaves no copy with secrets behind', async () => {
    const home = await createSetupHome();
    await home.write(CURSOR, text);
    await chmod(join(home.home, '.cursor/mcp.json'), 0o640);

    await home.init({ clients: ['cursor'] });
    await home.eject();

    expect((await stat(join(home.home, '.cursor/mcp.json'))).mode & 0o777).toBe(0o640);
    expect(await readdir(join(home.home, '.pml/backups'))).toEqual(['manifest.json']);
  });

  test('eject refuses a file that changed since init; --force restores it and keeps the changed version', async () => {
    const home = await createSetupHome();
    await home.write(CURSOR, text);
    await home.init({ clients: ['cursor'] });
    await home.write(CURSOR, '{"mcpServers": {}, "mine": true}');
    home.printed();

    expect(await home.eject()).toBe(1);
    expect(home.printed()).toContain('was changed after `pml init`');
    expect(await home.read(CURSOR)).toContain('mine');

    expect(await home.eject({ force: true })).toBe(0);
    expect(await home.read(CURSOR)).toBe(text);
    expect(Object.values(await home.snapshot()).join()).toContain('"mine": true');
  });

  // covers: EJECT-KEEPS
  test.each([{ keepChanges: true }, {}])(
    'eject with %j keeps what Claude Code wrote into its file and puts the servers back',
    async (options) => {
      const home = await createSetupHome();
      await home.write(
        'home/.claude.json',
        '{"starts": 1, "mcpServers": {"fs": {"command": "x"}}}',
      );
      await home.init({ clients: ['claude-code'] });
      const started = (await home.read('home/.claude.json')).replace('"starts": 1', '"starts": 2');
      await home.write('home/.claude.json', started);

      expect(await home.eject(options)).toBe(0);

      expect(JSON.parse(await home.read('home/.claude.json'))).toEqual({
        starts: 2,
        mcpServers: { fs: { command: 'x' } },
      });
      expect(await home.eject()).toBe(0);
    },
  );

  test('eject --keep-changes keeps servers added since init and removes what init added', async () => {
    const home = await createSetupHome();
    await home.write(CURSOR, '{"theme": "dark"}');
    await home.init({ clients: ['cursor', 'windsurf'] });
    const added = (await home.read(CURSOR)).replace('"pml":', '"late": {"command": "l"}, "pml":');
    await home.write(CURSOR, added);
    const windsurf = 'home/.codeium/windsurf/mcp_config.json';
    await home.write(windsurf, (await home.read(windsurf)).replace('{', '{ "x": 1,'));

    await home.eject({ keepChanges: true });

    expect(JSON.parse(await home.read(CURSOR))).toEqual({
      theme: 'dark',
      mcpServers: { late: { command: 'l' } },
    });
    expect(JSON.parse(await home.read(windsurf))).toEqual({ x: 1 });
  });

  test('eject restores only the named client, and one changed file does not block the others', async () => {
    const home = await createSetupHome();
    const windsurf = 'home/.codeium/windsurf/mcp_config.json';
    await home.write(CURSOR, text);
    await home.write(windsurf, text);
    await home.init({ clients: ['cursor', 'windsurf'] });

    await home.eject({ clients: ['windsurf'] });
    expect(await home.read(windsurf)).toBe(text);
    expect(await home.read(CURSOR)).toContain('pml');

    await home.init({ clients: ['windsurf'] });
    await home.write(CURSOR, '{}');
    expect(await home.eject()).toBe(1);
    expect(await home.read(windsurf)).toBe(text);
  });

  test('eject restores the state before PML even if init ran again on a changed file', async () => {
    const home = await createSetupHome();
    await home.write(CURSOR, text);
    await home.init({ clients: ['cursor'] });
    await home.write(CURSOR, '{"mcpServers": {"late": {"command": "l"}}}');
    await home.init({ clients: ['cursor'] });

    expect(await home.eject()).toBe(0);

    expect(await home.read(CURSOR)).toBe(text);
    expect(await home.read('home/.pml/pml.json')).toContain('late');
    expect(Object.values(await home.snapshot()).join()).toContain('"late": {"command"');
  });

  test.each([
    ['npx -y pml serve', { command: 'npx', args: ['-y', 'pml', 'serve'] }],
    ['node of a checkout', { command: 'node', args: ['/src/x/dist/cli.js', 'serve'] }],
    ['another Node', { command: '/old/node', args: ['/opt/pml/dist/cli.js', 'serve'] }],
  ])(
    'an entry of an older init (%s) is replaced by init and gone after eject',
    async (_what, pml) => {
      const home = await createSetupHome();
      await home.write(CURSOR, text);
      await home.init({ clients: ['cursor'] });
      await home.write(CURSOR, JSON.stringify({ mcpServers: { pml } }));

      await home.init({ clients: ['cursor'] });

      expect(JSON.parse(await home.read(CURSOR))).toEqual({
        mcpServers: {
          pml: { command: '/opt/node/bin/node', args: ['/opt/pml/dist/cli.js', 'serve'] },
        },
      });
      expect(await home.read('home/.pml/pml.json')).not.toContain('serve');
      expect(await home.eject()).toBe(0);
      expect(await home.read(CURSOR)).toBe(text);
    },
  );

  test('eject refuses when the backup copy is gone and says so', async () => {
    const home = await createSetupHome();
    await home.write(CURSOR, text);
    await home.init({ clients: ['cursor'] });
    const backups = join(home.home, '.pml/backups');
    const copy = (await readdir(backups)).find((entry) => entry.endsWith('mcp.json')) ?? '';
    await rm(join(backups, copy));

    expect(await home.eject({ force: true })).toBe(1);

    expect(home.printed()).toContain('missing or damaged');
    expect(await home.read(CURSOR)).toContain('pml');
  });

  test('eject reports a damaged manifest and changes nothing', async () => {
    const home = await createSetupHome();
    await home.write(CURSOR, text);
    await home.init({ clients: ['cursor'] });
    await home.write('home/.pml/backups/manifest.json', '{"version": 1');
    const before = await home.snapshot();

    expect(await home.eject()).toBe(1);

    expect(home.printed()).toContain('manifest.json is damaged');
    expect(await home.snapshot()).toEqual(before);
  });
});
