import { Command, Option } from 'commander';

import type { WriteOptions } from './run-add.js';

/** `pml remove`: the way back from `pml add`. */
export function removeCommand(): Command {
  return new Command('remove')
    .argument('<server>', 'name of the server in the configuration')
    .option('--project', 'write ./pml.json')
    .addOption(new Option('--config <path>', 'write this file').conflicts('project'))
    .option('--dry-run', 'show what would happen')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'print one JSON object; does not ask')
    .action(async (name: string, flags: WriteOptions) => {
      const { runRemove } = await import('./run-remove.js');
      const { createSetupIo } = await import('../init/setup-io.js');
      process.exitCode = await runRemove(name, flags, createSetupIo());
    });
}
