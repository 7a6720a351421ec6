import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import type { Workspace } from './workspace.js';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** What starts a relay of this workspace, for clients that start it themselves. */
export function relayCommand({ path, configPath }: Workspace) {
  return {
    command: process.execPath,
    args: [CLI, 'serve', '--config', configPath],
    // The workspace knows its processes by this directory.
    env: { PATH: process.env['PATH'] ?? '', HOME: path, TMPDIR: join(path, 'tmp') },
  };
}

/** Runs `pml serve --http` on a free port until disposed. */
export async function serveHttp(workspace: Workspace): Promise<{ url: string } & AsyncDisposable> {
  const { command, args, env } = relayCommand(workspace);
  const child = spawn(command, [...args, '--http', '--port', '0'], { env, stdio: 'pipe' });
  const ended = once(child, 'exit');
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /http:\/\/\S+/.exec(line)?.[0];
      if (found) resolve(found);
    });
    child.once('exit', () => reject(new Error(`pml serve --http ended: ${output}`)));
  });
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill('SIGINT');
      await ended;
    },
  };
}
