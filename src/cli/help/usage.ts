import type { CommanderError } from 'commander';

/** Wrong usage is told apart from failure: commander itself ends both with 1. */
export function exitOnUsage({ exitCode }: CommanderError): never {
  process.exit(exitCode === 0 ? 0 : 2);
}
