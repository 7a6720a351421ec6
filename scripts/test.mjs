// Everything that must hold before a change is good, in the order that fails fastest. The same in a
// fresh clone, on a developer's machine and in CI; nothing may fail softly.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { provideChromium } from './chromium.mjs';
import { install, requireNode, root, say } from './setup.mjs';

const CODE = ['src', 'web', 'test', 'bench', 'scripts'];
const bin = (path) => join(root, 'node_modules', path);

const STEPS = [
  ['Types', bin('typescript/bin/tsc'), '-p', 'tsconfig.json'],
  ['Types of the page', bin('typescript/bin/tsc'), '-p', 'web/tsconfig.json'],
  ['Lint', bin('oxlint/bin/oxlint'), '-c', 'oxlint.config.mjs', '--type-aware', ...CODE],
  ['Format', bin('oxfmt/bin/oxfmt'), '--check', ...CODE],
  ['Dead code', bin('knip/bin/knip.js')],
  ['Build', join(root, 'scripts/build.mjs')],
  ['Package', bin('publint/src/cli.js'), '--strict'],
  ['Tests', bin('vitest/vitest.mjs'), 'run', ...process.argv.slice(2)],
];

requireNode();
install();
provideChromium();
const began = performance.now();
for (const [title, script, ...args] of STEPS) {
  say(`\n── ${title} ${'─'.repeat(60 - title.length)}`);
  const { status, signal } = spawnSync(process.execPath, [script, ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status === 0) continue;
  say(`\n${title}: failed${signal ? ` (${signal})` : ''}.`);
  process.exit(status || 1);
}
say(`\nAll checks passed in ${Math.round((performance.now() - began) / 1000)} s.`);
