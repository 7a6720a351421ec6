import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';

import { type CommanderError, InvalidArgumentError } from 'commander';

import { type Client, CLIENTS, type Program, stablePath } from '../../clients/index.js';
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
    async confirm(question) {
      const { confirm, isCancel } = await import('@clack/prompts');
      const answer = await confirm({ message: question, initialValue: false });
      return !isCancel(answer) && answer;
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

/** For a repeatable `--client`. */
export function collectClient(name: string, previous: readonly Client[] = []): readonly Client[] {
  const client = CLIENTS.find((known) => known === name);
  if (!client) throw new InvalidArgumentError(`Known clients are ${CLIENTS.join(', ')}.`);
  return previous.includes(client) ? previous : [...previous, client];
}

/** Wrong usage is told apart from failure: commander itself ends both with 1. */
export function exitOnUsage({ exitCode }: CommanderError): never {
  process.exit(exitCode === 0 ? 0 : 2);
}
