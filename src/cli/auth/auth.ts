import type { Command } from 'commander';

import { daemonCommand } from '../daemon/command.js';

/** Nothing of a subcommand is loaded before it runs. */
export function authCommand(): Command {
  const command = daemonCommand('auth').action(async (flags) =>
    (await import('./status.js')).showSignIns(undefined, flags),
  );
  command.addCommand(
    daemonCommand('login', 'Sign in to a remote server, in the browser or on another device')
      .argument('<server>', 'name of the server in pml.json')
      .option('--no-browser', 'print the address; paste the address that the browser returns to')
      .option('--device', 'type a code on another device, where the server offers that')
      .action(async (server: string, _flags, own: Command) =>
        (await import('./login.js')).login(server, own.optsWithGlobals()),
      ),
  );
  command.addCommand(
    daemonCommand('logout', 'Forget the tokens of a remote server')
      .argument('<server>', 'name of the server in pml.json')
      .action(async (server: string, _flags, own: Command) =>
        (await import('./logout.js')).logout(server, own.optsWithGlobals()),
      ),
  );
  command.addCommand(
    daemonCommand('status', 'Show which remote servers PML is signed in to')
      .argument('[server]', 'only this one')
      .action(async (server: string | undefined, _flags, own: Command) =>
        (await import('./status.js')).showSignIns(server, own.optsWithGlobals()),
      ),
  );
  return command;
}
