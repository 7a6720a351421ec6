import { Command } from 'commander';

export function trustCommand(): Command {
  return new Command('trust')
    .option('--config <path>', 'configuration file')
    .option('-y, --yes', 'approve; without it only shown')
    .option('--adopt-data', 'take over a data directory that PML did not make here')
    .option('--json', 'print JSON')
    .action(async (flags: TrustFlags) => {
      await (await import('./approve.js')).approveConfig(flags);
    });
}

export interface TrustFlags {
  readonly config?: string;
  readonly yes?: boolean;
  readonly adoptData?: boolean;
  readonly json?: boolean;
}
