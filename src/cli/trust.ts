import { Command } from 'commander';

import { loadConfig } from '../app/load-config.js';
import { trust } from '../app/trust.js';
import { locate } from './locate.js';
import { heading, print } from './print.js';

/** Shows all a project's file would start, in full, and approves exactly that. */
export function trustCommand(): Command {
  return new Command('trust')
    .description('Approve the pml.json of this directory, after showing what it starts')
    .option('--config <path>', 'configuration file')
    .option('-y, --yes', 'approve; without it only shown')
    .action(async (flags: { config?: string; yes?: boolean }) => {
      const { path } = await locate(flags);
      const loaded = await loadConfig(path, process.env);
      print(heading(`${path} starts:`));
      for (const spec of loaded.servers.values()) {
        const what = spec.kind === 'stdio' ? [spec.command, ...spec.args].join(' ') : spec.url;
        print(`  ${spec.name}: ${what}`);
      }
      if (!flags.yes) {
        print('Nothing was changed. To approve exactly this: pml trust --yes');
        return;
      }
      await trust(loaded, { env: process.env });
      print('Approved.');
    });
}
