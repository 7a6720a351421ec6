import { Command } from 'commander';

import { describeVersion } from './version-text.js';

export function versionCommand(): Command {
  return new Command('version')
    .option('--json', 'print JSON')
    .action(({ json }: { readonly json?: boolean }) => {
      process.stdout.write(`${describeVersion({ isJson: json === true })}\n`);
    });
}
