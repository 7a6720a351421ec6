import type { CommanderError } from 'commander';

/** Distinguishes wrong usage from failure: commander itself exits with 1 for both. */
export function exitOnUsage({ exitCode }: CommanderError): never {
  process.exit(exitCode === 0 ? 0 : 2);
}
