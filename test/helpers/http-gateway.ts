import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
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

interface ServedHttp extends AsyncDisposable {
  readonly url: string;
  /** What a client must send, beside what its configuration says. */
  readonly headers: Readonly<Record<string, string>>;
  /** Everything that was printed before the address. */
  readonly printed: string;
  /** Resolves when the command ends by itself. */
  readonly ended: Promise<{ readonly code: number | null; readonly stderr: string }>;
}

/** Runs `pml serve --http` on a free port until disposed. */
export async function serveHttp(workspace: Workspace): Promise<ServedHttp> {
  const { command, args, env } = relayCommand(workspace);
  const child = spawn(command, [...args, '--http', '--port', '0'], { env, stdio: 'pipe' });
  const ended = once(child, 'exit');
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  let printed = '';
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /serves MCP at (\S+)/.exec(line)?.[1];
      if (found) resolve(found);
      else printed += `${line}\n`;
    });
    child.once('exit', () => reject(new Error(`pml serve --http ended: ${output}`)));
  });
  const tokenFile = /^The token is in (.+?)(?: and is not shown again)?$/m.exec(printed)?.[1];
  const token = tokenFile && readFileSync(tokenFile, 'utf8').trim();
  return {
    url,
    headers: token ? { authorization: `Bearer ${token}` } : {},
    printed,
    ended: ended.then(([code]) => ({ code: code as number | null, stderr: output })),
    async [Symbol.asyncDispose]() {
      child.kill('SIGINT');
      await ended;
    },
  };
}
