import { Command, Option } from 'commander';

import type { Client } from '../../clients/index.js';
import { collectClient } from './collect-client.js';
import type { InitOptions } from './run.js';

type Flags = Partial<Omit<InitOptions, 'clients'>> & { readonly client?: readonly Client[] };

/** `pml init`: brings the servers of your clients behind PML. */
export function initCommand(): Command {
  return new Command('init')
    .option('--client <name>', 'client to import and to rewrite; repeatable', collectClient)
    .option('--project', 'write ./pml.json instead of the one in your home')
    .addOption(new Option('--config <path>', 'write this file').conflicts('project'))
    .option('--trust-project', 'include servers from files in this directory')
    .option('--dry-run', 'show what would happen')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'print one JSON object; does not ask')
    .action(async (flags: Flags) => {
      const { runInit } = await import('./run.js');
      const { createSetupIo } = await import('./setup-io.js');
      process.exitCode = await runInit(toOptions(flags), createSetupIo());
    });
}

function toOptions({ client = [], config, ...flags }: Flags): InitOptions {
  return {
    clients: client,
    config,
    project: flags.project ?? false,
    trustProject: flags.trustProject ?? false,
    dryRun: flags.dryRun ?? false,
    yes: flags.yes ?? false,
    json: flags.json ?? false,
  };
}
