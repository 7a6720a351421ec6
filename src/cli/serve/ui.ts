import { spawn } from 'node:child_process';

import type { Command } from 'commander';

import { askStarted, type DaemonFlags } from '../daemon/ask.js';
import { daemonCommand } from '../daemon/command.js';
import { print, printJson } from '../print/print.js';

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

/** Whether a program could be started that opens addresses. */
function openBrowser(url: string): Promise<boolean> {
  const { command, args } = opener(process.platform, url);
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    // A program that ends well at once has handed the address over; one that stays is the browser.
    const timer = setTimeout(() => resolve(true), HANDED_OVER_MS);
    child.once('exit', (code) => {
      clearTimeout(timer);
      resolve(code === 0);
    });
    child.unref();
  });
}

const HANDED_OVER_MS = 2_000;

/** The program of a system that opens addresses. */
export function opener(
  platform: NodeJS.Platform,
  url: string,
): { readonly command: string; readonly args: readonly string[] } {
  if (platform === 'darwin') return { command: 'open', args: [url] };
  // `start` is a word of the shell, which would read the address once more.
  if (platform === 'win32') {
    return { command: 'rundll32', args: ['url.dll,FileProtocolHandler', url] };
  }
  return { command: 'xdg-open', args: [url] };
}
