import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';

import { type CommanderError, InvalidArgumentError } from 'commander';

import { type Client, CLIENTS } from '../clients/index.js';
import type { SetupIo } from './init-run.js';

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
    checkout: findCheckout(),
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

/** Our `dist/cli.js` if this is a checkout: an installed package comes without a way to build. */
function findCheckout(): string | undefined {
  const marker = new URL('../../tsconfig.build.json', import.meta.url);
  const built = new URL('../../dist/cli.js', import.meta.url);
  return existsSync(marker) ? fileURLToPath(built) : undefined;
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
