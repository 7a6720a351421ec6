import { Command } from 'commander';

/** A command with the options of all that talk to the daemon. */
export function daemonCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .option('--config <path>', 'configuration file')
    .option('--data-dir <path>', 'data directory')
    .option('--json', 'print JSON');
}
