import { Argument, type Command } from 'commander';

import { unreachable } from '../../core/errors.js';
import { visible } from '../../core/visible-text.js';
import { ask, askStarted, type DaemonFlags } from '../daemon/ask.js';
import { daemonCommand } from '../daemon/command.js';
import { page } from '../print/page.js';
import { printJson } from '../print/print.js';

export const LISTED = ['servers', 'tools', 'capabilities', 'runs'] as const;
export type Listed = (typeof LISTED)[number];

const MOST_RUNS = 100;

export function listCommand(): Command {
  return daemonCommand('list')
    .addArgument(new Argument('[what]', 'what to list').choices(LISTED).default('servers'))
    .action(async (what: Listed, flags: DaemonFlags) => {
      await askStarted(flags, 'lists', {});
      const names = await listNames(what, flags);
      if (flags.json) return printJson({ [what]: names });
      if (names.length === 0) process.stderr.write(`There are no ${what} yet.\n`);
      else await page(names.map(visible));
    });
}

/** Names as commands take them; none where no daemon runs. */
export async function listNames(what: Listed, flags: DaemonFlags): Promise<readonly string[]> {
  switch (what) {
    case 'servers': {
      const { answer } = await ask(flags, 'status', {});
      if (!answer) return [];
      const { servers, broken, disabled } = answer;
      return [...servers.map(({ name }) => name), ...Object.keys(broken), ...disabled].toSorted();
    }
    case 'tools': {
      const { answer } = await ask(flags, 'tools', {});
      const usable = answer?.tools.filter(({ status }) => status !== 'gone') ?? [];
      return usable.map(({ id }) => id).toSorted();
    }
    case 'capabilities': {
      const { answer } = await ask(flags, 'capabilities', {});
      return answer?.capabilities.map(({ name }) => name) ?? [];
    }
    case 'runs': {
      const { answer } = await ask(flags, 'runs', { limit: MOST_RUNS });
      return answer?.runs.map(({ run }) => run) ?? [];
    }
    default:
      return unreachable(what);
  }
}
