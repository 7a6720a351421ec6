import { Command, Option } from 'commander';

import type { Client } from '../../clients/index.js';
import { collectClient } from './collect-client.js';

interface Flags {
  readonly client?: readonly Client[];
  readonly force?: boolean;
  readonly keepChanges?: boolean;
  readonly json?: boolean;
}

/** `pml eject`: the way back from `pml init`. */
export function ejectCommand(): Command {
  return new Command('eject')
    .option('--client <name>', 'only this client; repeatable', collectClient)
    .option('--force', 'also files that were changed since; keeps a copy of them')
    .addOption(
      new Option(
        '--keep-changes',
        'put only the servers back into files that were changed since; this is the default for clients that keep their own settings there, such as claude-code',
      ).conflicts('force'),
    )
    .option('--json', 'print one JSON object')
    .action(async ({ client = [], force = false, keepChanges = false, json = false }: Flags) => {
      const options = { clients: client, force, keepChanges, json };
      const { runEject } = await import('./eject-run.js');
      const { createSetupIo } = await import('./setup-io.js');
      process.exitCode = await runEject(options, createSetupIo());
    });
}
