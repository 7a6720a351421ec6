import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { PmlClient } from './pml-client.js';
import type { CommandResult } from './workspace.js';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
/** An identity for commits, and no configuration of the machine. */
const GIT = {
  GIT_AUTHOR_NAME: 'stranger',
  GIT_AUTHOR_EMAIL: 'stranger@example.org',
  GIT_COMMITTER_NAME: 'stranger',
  GIT_COMMITTER_EMAIL: 'stranger@example.org',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
};

/**
 * A user's home directory with a repository of a stranger cloned to `src/project` in it, by a real
 * `git clone`. Commands run in the clone, as a client that was opened there starts them.
 */
export class ClonedProject implements AsyncDisposable {
  readonly root: string;
  readonly home: string;
  readonly folder: string;
  readonly #clients: PmlClient[] = [];

  /** `prepare` writes the files of the stranger's repository. */
  constructor(prepare: (repository: string) => void) {
    this.root = mkdtempSync('/tmp/pml-clone-');
    this.home = join(this.root, 'home');
    this.folder = join(this.home, 'src', 'project');
    const origin = join(this.root, 'origin');
    mkdirSync(origin);
    mkdirSync(dirname(this.folder), { recursive: true });
    mkdirSync(join(this.root, 'tmp'));
    prepare(origin);
    git(origin, 'init', '--quiet');
    git(origin, 'add', '--all', '--force');
    git(origin, 'commit', '--quiet', '--message', 'first');
    git(dirname(this.folder), 'clone', '--quiet', origin, this.folder);
  }

  /** The user's own configuration, in the home of PML. */
  writeUserConfig(config: object): void {
    mkdirSync(join(this.home, '.pml'), { recursive: true });
    writeFileSync(join(this.home, '.pml', 'pml.json'), JSON.stringify(config));
  }

  /** What differs in the clone from what git brought. */
  changes(): string {
    return git(this.folder, 'status', '--porcelain', '--ignored');
  }

  /** Every file in the home directory outside the clone. */
  homeFiles(): readonly string[] {
    return readdirSync(this.home, { recursive: true, encoding: 'utf8' })
      .filter((path) => !path.startsWith('src'))
      .toSorted();
  }

  serve(): PmlClient {
    const command = [process.execPath, CLI, 'serve'];
    const client = new PmlClient({ command, env: this.#environment(), cwd: this.folder });
    this.#clients.push(client);
    return client;
  }

  run(...args: string[]): Promise<CommandResult> {
    return new Promise((resolve) => {
      const options = { env: this.#environment(), cwd: this.folder };
      const child = execFile(process.execPath, [CLI, ...args], options, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, stdout, stderr }),
      );
      child.stdin?.end();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#clients.map((client) => client[Symbol.asyncDispose]()));
    await this.run('stop');
    while (this.#processes().length > 0) await delay(50);
    rmSync(this.root, { recursive: true, force: true });
  }

  #processes(): readonly string[] {
    return execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes(this.root));
  }

  #environment(): NodeJS.ProcessEnv {
    const { PATH, LANG } = process.env;
    return { PATH, LANG, HOME: this.home, TMPDIR: join(this.root, 'tmp') };
  }
}

function git(cwd: string, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8', env: { ...process.env, ...GIT } });
}
