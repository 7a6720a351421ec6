import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';

import { type Program, stablePath } from '../../clients/index.js';
import type { SetupIo } from './run.js';

/** The real machine, terminal and clock. */
export function createSetupIo(): SetupIo {
  const { env, platform } = process;
  return {
    machine: {
      home: env['HOME'] || env['USERPROFILE'] || homedir(),
      cwd: process.cwd(),
      platform,
      env,
    },
    program: runningProgram(),
    isInteractive: process.stdin.isTTY && process.stdout.isTTY,
    now: () => new Date(),
    out: (line) => process.stdout.write(`${line}\n`),
    error: (line) => process.stderr.write(`${line}\n`),
    async confirm(question, { isSafe }) {
      const { confirm, isCancel } = await import('@clack/prompts');
      const answer = await confirm({ message: question, initialValue: isSafe });
      return !isCancel(answer) && answer;
    },
    async chooseClients(found) {
      const { isCancel, multiselect } = await import('@clack/prompts');
      const answer = await multiselect({
        message: 'Which clients should use PML? `pml eject` puts them back as they were.',
        options: found.map((value) => ({ value, label: value })),
        initialValues: [...found],
        required: false,
      });
      return isCancel(answer) ? undefined : answer;
    },
  };
}

/** The Node and the file that run now: whatever else has our name may be something else. */
function runningProgram(): Program {
  const cli = fileURLToPath(new URL('../../cli.js', import.meta.url));
  return { node: stablePath(process.execPath, realPath), cli: stablePath(cli, realPath) };
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined; // There is no such file.
  }
}
