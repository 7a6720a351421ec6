import { expect, test } from 'vitest';

import { stablePath } from './stable-path.js';

function stableAmong(links: Readonly<Record<string, string>>, path: string): string {
  return stablePath(
    path,
    (one) => links[one] ?? (Object.values(links).includes(one) ? one : undefined),
  );
}

const NVM = '/home/u/.nvm/versions/node/v22.1.0/bin/node';
const FNM = '/home/u/.local/share/fnm/node-versions/v22.1.0/installation/bin/node';
const BREW = '/opt/homebrew/Cellar/node@22/22.1.0/bin/node';
const PNPM = '/g/5/node_modules/.pnpm/pml@0.1.0/node_modules/pml/dist/cli.js';

test.each([
  [
    'a link of one shell becomes the installation',
    { '/run/fnm_multishells/7_1/bin/node': FNM },
    '/run/fnm_multishells/7_1/bin/node',
    FNM,
  ],
  ['a path of nvm stays', { x: NVM }, NVM, NVM],
  [
    'a version of Homebrew becomes its link that outlives updates',
    { '/opt/homebrew/opt/node@22/bin/node': BREW },
    BREW,
    '/opt/homebrew/opt/node@22/bin/node',
  ],
  ['a version of Homebrew without that link stays', { x: BREW }, BREW, BREW],
  [
    'a version in the store of pnpm becomes the package',
    { '/g/5/node_modules/pml/dist/cli.js': PNPM },
    PNPM,
    '/g/5/node_modules/pml/dist/cli.js',
  ],
  ['a path that cannot be resolved stays', {}, '/x/node', '/x/node'],
])('%s', (_case, links, path, expected) => {
  expect(stableAmong(links, path)).toBe(expected);
});
