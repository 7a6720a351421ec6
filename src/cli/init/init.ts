import { Command, Option } from 'commander';

import type { Client } from '../../clients/index.js';
import { type InitOptions, runInit } from './run.js';
import { collectClient, createSetupIo, exitOnUsage } from './setup-io.js';

type Flags = Partial<Omit<InitOptions, 'clients'>> & { readonly client?: readonly Client[] };

/** `pml init`: brings the servers of your clients behind PML. */
export function initCommand(): Command {
  return new Command('init')
    .description('Import the MCP servers of your clients and put PML in front of them')
    .option('--client <name>', 'client to import and to rewrite; repeatable', collectClient)
    .option('--project', 'write ./pml.json instead of the one in your home')
    .addOption(new Option('--config <path>', 'write this file').conflicts('project'))
    .option('--trust-project', 'include servers from files in this directory')
    .option('--dry-run', 'show what would happen')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'print one JSON object; does not ask')
    .exitOverride(exitOnUsage)
    .action(async (flags: Flags) => {
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
