import { Command } from 'commander';

/** A command with the options of all that talk to the daemon; the table of commands describes those at the top. */
export function daemonCommand(name: string, description = ''): Command {
  return new Command(name)
    .description(description)
    .option('--config <path>', 'configuration file')
    .option('--data-dir <path>', 'data directory')
    .option('--json', 'print JSON');
}
