import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { promisify } from 'node:util';

import { Command } from 'commander';

import type { Program } from '../../clients/index.js';
import { type LocateOptions, locate } from '../daemon/locate.js';
import type { SetupIo } from '../init/run.js';
import { print, printJson } from '../print/print.js';
import type { ServiceIo, ServiceOutcome } from './run.js';
import { type ServiceFile, serviceFile } from './unit-file.js';

interface ServiceFlags extends LocateOptions {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function serviceCommand(): Command {
  return new Command('service')
    .addCommand(
      withOptions('install', 'Show the file, ask, then write it and start the service').action(
        (flags: ServiceFlags) => perform(flags, 'installService'),
      ),
    )
    .addCommand(
      withOptions('uninstall', 'End the service and remove its file').action(
        (flags: ServiceFlags) => perform(flags, 'uninstallService'),
      ),
    );
}

function withOptions(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .option('-y, --yes', 'do not ask')
    .option('--dry-run', 'show what would happen')
    .option('--config <path>', 'configuration file')
    .option('--data-dir <path>', 'data directory')
    .option('--json', 'print JSON; does not ask');
}

async function perform(
  flags: ServiceFlags,
  action: 'installService' | 'uninstallService',
): Promise<void> {
  const { [action]: act } = await import('./run.js');
  const { createSetupIo } = await import('../init/setup-io.js');
  const setup = createSetupIo();
  const file = await plannedFile(flags, setup.program);
  const { yes = false, dryRun = false, json = false } = flags;
  const outcome = await act(file, { yes, dryRun, json }, createServiceIo(setup));
  if (json) return printJson({ status: outcome, path: file.path, text: file.text });
  print(CLOSING[outcome]);
}

const CLOSING: Readonly<Record<ServiceOutcome, string>> = {
  installed: 'PML starts with your session. `pml status` shows where it serves HTTP.',
  uninstalled: 'The service is gone. Clients still start PML when they need it.',
  'nothing-to-do': 'Nothing to do: the service is not installed.',
  'dry-run': 'Dry run: nothing was written.',
  declined: 'Nothing was changed.',
};

/** The service names its configuration: it does not start in a folder of the user. */
async function plannedFile(flags: ServiceFlags, program: Program): Promise<ServiceFile> {
  const { env, platform } = process;
  const { path, dataDir, isNamed } = await locate(flags);
  const command = [program.node, program.cli, 'serve', '--http', '--config', path];
  const home = env['PML_HOME'];
  return serviceFile(
    {
      platform,
      home: env['HOME'] || homedir(),
      uid: process.getuid?.() ?? 0,
      configHome: env['XDG_CONFIG_HOME'],
    },
    {
      command: isNamed ? [...command, '--data-dir', dataDir] : command,
      environment: { PATH: env['PATH'] ?? '', ...(home && { PML_HOME: home }) },
    },
  );
}

function createServiceIo({ isInteractive, out, confirm }: SetupIo): ServiceIo {
  return {
    isInteractive,
    out,
    confirm: (question) => confirm(question, { isSafe: false }),
    async execute([command = '', ...args]) {
      await promisify(execFile)(command, args);
    },
  };
}
