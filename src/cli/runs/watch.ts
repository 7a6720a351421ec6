import { Command } from 'commander';

import type { DaemonFlags } from '../daemon/ask.js';
import { jsonText, print } from '../print/print.js';
import { printQuestion, stay } from './attend.js';
import { findRun } from './find.js';
import { peekRun } from './follow.js';
import { exitCodeOf, EXIT_CODES } from './marks.js';
import { showJsonLines, showProgress } from './show-progress.js';

export function watchCommand(): Command {
  return new Command('watch')
    .argument('<run>', 'its id, the beginning of it, or latest')
    .option('--config <path>', 'configuration file')
    .option('--data-dir <path>', 'data directory')
    .option('--json', 'print every event as a line of JSON')
    .addHelpText('after', EXIT_CODES)
    .action(async (wanted: string, flags: DaemonFlags) => {
      const run = await findRun(wanted, flags);
      await peekRun(run, flags);
      const progress = flags.json
        ? showJsonLines((event) => print(jsonLine(event)))
        : showProgress(process.stdout, { isKept: true });
      const rested = await stay(run, flags, { after: 0, progress });
      if (!rested) return;
      process.exitCode = exitCodeOf(rested.run);
      if (!flags.json) printQuestion(rested.run, flags);
    });
}

/** Line ends are only between values: those in texts are escaped. */
function jsonLine(value: unknown): string {
  return jsonText(value).replaceAll(/\n */g, '');
}
