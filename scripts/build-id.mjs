// Says which build this is: two builds of one version can differ, and then a daemon of one and a command
// of the other may not understand each other.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

/** The commit, if there is one, and a hash of what was compiled: a commit can have uncommitted changes. */
export function buildId(root, dist) {
  const hash = hashOf(dist).slice(0, 8);
  const commit = commitOf(root);
  return commit === undefined ? hash : `${commit}-${hash}`;
}

function hashOf(dist) {
  const hash = createHash('sha256');
  const files = readdirSync(dist, { recursive: true }).filter((file) => /\.c?js$/.test(file));
  for (const file of files.map((one) => one.replaceAll('\\', '/')).sort()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(dist, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

/** Undefined without git, and where the sources lie inside the repository of another project. */
function commitOf(root) {
  const git = (...args) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const top = git('rev-parse', '--show-toplevel').trim();
    if (realpathSync(top) !== realpathSync(root)) return undefined;
    return git('rev-parse', '--short=9', 'HEAD').trim();
  } catch {
    return undefined;
  }
}
