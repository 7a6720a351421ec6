import type { Command } from 'commander';

import { askStarted, type DaemonFlags } from '../daemon/ask.js';
import { daemonCommand } from '../daemon/command.js';
import { print, printJson } from '../print/print.js';
import { openBrowser } from './open-browser.js';

interface UiFlags extends DaemonFlags {
  readonly browser: boolean;
}

export function uiCommand(): Command {
  return daemonCommand('ui')
    .option('--no-browser', 'only print the address, which signs one browser in')
    .action(async (flags: UiFlags) => {
      const { answer } = await askStarted(flags, 'ui-open', {});
      if (flags.json) return printJson(answer);
      if (flags.browser && (await openBrowser(answer.url))) {
        return print(`The dashboard is open at ${answer.address}`);
      }
      print(answer.url);
      print('Open this address in your browser. It works once, within five minutes.');
    });
}
