// `npm run bench -- NAME …`: installs and builds what is missing, then runs the bench.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { build, install, requireNode, root } from './setup.mjs';

requireNode();
install();
build();
const { status } = spawnSync(
  process.execPath,
  ['--import', 'tsx', join(root, 'bench/run.ts'), ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
);
process.exit(status ?? 1);
