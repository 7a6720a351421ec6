import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';

import { writeAtomic } from '../../config/text/write-atomic.js';
import { PmlError } from '../../core/errors.js';
import type { ServiceFile } from './unit-file.js';

export interface ServiceIo {
  readonly isInteractive: boolean;
  readonly out: (line: string) => void;
  readonly confirm: (question: string) => Promise<boolean>;
  /** Runs a program of the system; rejects with what it printed when it fails. */
  readonly execute: (command: readonly string[]) => Promise<void>;
}

export interface ServiceOptions {
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
}

export type ServiceOutcome = 'installed' | 'uninstalled' | 'nothing-to-do' | 'dry-run' | 'declined';

/** Shows the file, asks, writes it and makes the system start it. */
export async function installService(
  file: ServiceFile,
  options: ServiceOptions,
  io: ServiceIo,
): Promise<ServiceOutcome> {
  tell(io, options, [
    `${file.path}:`,
    '',
    ...file.text
      .trimEnd()
      .split('\n')
      .map((one) => `  ${one}`),
    '',
  ]);
  if (options.dryRun) return 'dry-run';
  if (!(await isWanted(`Write it and run: ${shown(file.install)}?`, options, io)))
    return 'declined';
  await writeAtomic(file.path, file.text);
  for (const command of file.install) await executeOrExplain(command, file, io);
  return 'installed';
}

export async function uninstallService(
  file: ServiceFile,
  options: ServiceOptions,
  io: ServiceIo,
): Promise<ServiceOutcome> {
  if (!existsSync(file.path)) return 'nothing-to-do';
  tell(io, options, [`Ends the service and removes ${file.path}`]);
  if (options.dryRun) return 'dry-run';
  if (!(await isWanted('Go ahead?', options, io))) return 'declined';
  for (const command of file.uninstall) await executeOrExplain(command, file, io);
  await rm(file.path, { force: true });
  for (const command of file.afterRemoval) await executeOrExplain(command, file, io);
  return 'uninstalled';
}

function tell(io: ServiceIo, { json }: ServiceOptions, lines: readonly string[]): void {
  if (!json) for (const line of lines) io.out(line);
}

/** Without a terminal `--yes` is required: a service starts programs with every session. */
async function isWanted(
  question: string,
  options: ServiceOptions,
  io: ServiceIo,
): Promise<boolean> {
  if (options.yes) return true;
  if (io.isInteractive && !options.json) return io.confirm(question);
  throw new PmlError(
    'BAD_REQUEST',
    'Nothing was changed. Add --yes to go ahead without a question',
  );
}

async function executeOrExplain(
  command: readonly string[],
  { path }: ServiceFile,
  io: ServiceIo,
): Promise<void> {
  try {
    await io.execute(command);
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim() : String(error);
    throw new PmlError(
      'BAD_REQUEST',
      `${command.join(' ')} failed: ${reason}. The file is ${path}; correct this and run the command again`,
      { cause: error },
    );
  }
}

function shown(commands: readonly (readonly string[])[]): string {
  return commands.map((one) => one.join(' ')).join(' && ');
}
