import { Command, Option } from 'commander';

import type { Client } from '../../clients/index.js';
import { runEject } from './eject-run.js';
import { collectClient, createSetupIo, exitOnUsage } from './setup-io.js';

interface Flags {
  readonly client?: readonly Client[];
  readonly force?: boolean;
  readonly keepChanges?: boolean;
  readonly json?: boolean;
}

/** `pml eject`: the way back from `pml init`. */
export function ejectCommand(): Command {
  return new Command('eject')
    .description('Put the files of your clients back as they were before `pml init`')
    .option('--client <name>', 'only this client; repeatable', collectClient)
    .option('--force', 'also files that were changed since; keeps a copy of them')
    .addOption(
      new Option(
        '--keep-changes',
        'put only the servers back into files that were changed since',
      ).conflicts('force'),
    )
    .option('--json', 'print one JSON object')
    .exitOverride(exitOnUsage)
    .action(async ({ client = [], force = false, keepChanges = false, json = false }: Flags) => {
      const options = { clients: client, force, keepChanges, json };
      process.exitCode = await runEject(options, createSetupIo());
    });
}
