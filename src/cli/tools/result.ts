import type { Command } from 'commander';

import { visible } from '../../core/visible-text.js';
import { askStarted, type DaemonFlags } from '../daemon/ask.js';
import { daemonCommand } from '../daemon/command.js';
import { page } from '../print/page.js';
import { jsonText, printJson } from '../print/print.js';

interface ResultFlags extends DaemonFlags {
  readonly path?: string;
}

export function resultCommand(): Command {
  return daemonCommand('result')
    .argument('<handle>', 'as an answer of PML gives it')
    .option('--path <path>', 'only this part of a JSON result, such as items[0].title')
    .action(async (handle: string, flags: ResultFlags) => {
      const { path } = flags;
      const params = { handle, ...(path !== undefined && { path }) };
      const { answer } = await askStarted(flags, 'result', params);
      if (flags.json) return printJson(answer);
      const { value, text = '' } = answer;
      const shown = value === undefined ? text.split('\n').map(showLine) : [jsonText(value)];
      await page(shown);
    });
}

/** Tabs are layout; everything else that is invisible is shown. */
function showLine(line: string): string {
  return line.replace(/\r$/, '').split('\t').map(visible).join('\t');
}
