import { Command, Option } from 'commander';

import { print, printJson } from '../print/print.js';

interface DemoFlags {
  readonly json?: boolean;
  readonly server?: string;
}

export function demoCommand(): Command {
  return new Command('demo')
    .option('--json', 'print JSON')
    .addOption(new Option('--server <name>', 'serve one of the sample servers').hideHelp())
    .action(async ({ json, server }: DemoFlags) => {
      if (server !== undefined) return (await import('./sample-server.js')).serveSample(server);
      const report = await (await import('./run-demo.js')).runDemo();
      if (json) return printJson(report);
      const { describeDemo } = await import('./describe-demo.js');
      return print(describeDemo(report));
    });
}
