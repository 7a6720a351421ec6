import type { Command } from 'commander';

import { daemonCommand } from '../daemon/command.js';

/** Nothing of a subcommand is loaded before it runs. */
export function tokenCommand(): Command {
  const command = daemonCommand('token').action(async (flags) =>
    (await import('./tokens.js')).listTokens(flags),
  );
  command.addCommand(
    daemonCommand('create', 'Make a token and show it, for the only time')
      .requiredOption('--name <name>', 'what the token is called')
      .option('--servers <globs...>', 'servers that its clients may use (default: all)')
      .option('--read-only', 'allow only tools that change nothing')
      .option('--profile <name>', 'a profile of the configuration that its clients use')
      .option('--expires <time>', 'how long it is valid, such as 12h or 30d (default: for ever)')
      .action(async (_flags, own: Command) =>
        (await import('./tokens.js')).createToken(own.optsWithGlobals()),
      ),
  );
  command.addCommand(
    daemonCommand('list', 'List tokens, without their secrets').action(
      async (_flags, own: Command) =>
        (await import('./tokens.js')).listTokens(own.optsWithGlobals()),
    ),
  );
  command.addCommand(
    daemonCommand('revoke', 'Refuse the clients of a token from now on')
      .argument('<name>', 'name of the token')
      .action(async (name: string, _flags, own: Command) =>
        (await import('./tokens.js')).revokeToken(name, own.optsWithGlobals()),
      ),
  );
  return command;
}
