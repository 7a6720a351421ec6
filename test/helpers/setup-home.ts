import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

import { type EjectOptions, runEject } from '../../src/cli/init/eject-run.js';
import { type InitOptions, runInit, type SetupIo } from '../../src/cli/init/run.js';
import type { Client } from '../../src/clients/index.js';

/** A made-up machine in a temporary directory, and what the commands print there. */
export async function createSetupHome({
  isInteractive = false,
  answers = [] as boolean[],
  chosen = [] as readonly Client[] | undefined,
} = {}) {
  const root = await mkdtemp(join(tmpdir(), 'pml-'));
  const home = join(root, 'home');
  const cwd = join(root, 'project');
  await mkdir(home);
  await mkdir(cwd);
  const printed: string[] = [];
  const questions: string[] = [];
  const io: SetupIo = {
    machine: { home, cwd, platform: 'linux', env: { HOME: home } },
    program: { node: '/opt/node/bin/node', cli: '/opt/pml/dist/cli.js' },
    isInteractive,
    now: () => new Date('2026-11-15T12:00:00Z'),
    out: (line) => printed.push(line),
    error: (line) => printed.push(line),
    async confirm(question) {
      questions.push(question);
      return answers.shift() ?? false;
    },
    async chooseClients(found) {
      questions.push(`choose ${found.join(', ')}`);
      return chosen;
    },
  };
  return {
    io,
    home,
    cwd,
    questions,
    /** What was said since the last look, without colours: whether there are any is not ours to say. */
    printed: () => stripVTControlCharacters(printed.splice(0).join('\n')),
    read: (path: string) => readFile(join(root, path), 'utf8'),
    bytes: (path: string) => readFile(join(root, path)),
    async write(path: string, content: string | Uint8Array) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    },
    /** Every file below, with its content: two equal snapshots mean nothing was written. */
    async snapshot(): Promise<Record<string, string>> {
      const entries = await readdir(root, { recursive: true, withFileTypes: true });
      const paths = entries
        .filter((entry) => entry.isFile())
        .map((e) => join(e.parentPath, e.name));
      const texts = paths.toSorted().map(async (path) => [path, await readFile(path, 'latin1')]);
      return Object.fromEntries(await Promise.all(texts)) as Record<string, string>;
    },
    init: (options: Partial<InitOptions> = {}) => runInit({ ...NO_FLAGS, ...options }, io),
    eject: (options: Partial<EjectOptions> = {}) =>
      runEject({ clients: [], force: false, keepChanges: false, json: false, ...options }, io),
  };
}

const NO_FLAGS: InitOptions = {
  clients: [],
  project: false,
  dryRun: false,
  yes: false,
  json: false,
  trustProject: false,
};
