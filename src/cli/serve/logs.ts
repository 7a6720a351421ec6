import { createReadStream, existsSync, readFileSync, statSync, watchFile } from 'node:fs';
import { join } from 'node:path';

import { Command } from 'commander';

import { PmlError } from '../../core/errors.js';
import { visible } from '../../core/visible-text.js';
import { daemonLogPath } from '../../daemon/start-daemon.js';
import { locate, type LocateOptions } from '../daemon/locate.js';
import { print } from '../print/print.js';

interface LogsFlags extends LocateOptions {
  readonly lines: string;
  readonly follow?: boolean;
}

export function logsCommand(): Command {
  return new Command('logs')
    .argument('[server]', 'name of a server')
    .option('-n, --lines <count>', 'how many lines', '50')
    .option('-f, --follow', 'keep showing new lines')
    .option('--config <path>', 'configuration file')
    .option('--data-dir <path>', 'data directory')
    .action(async (server: string | undefined, flags: LogsFlags) => {
      const { dataDir } = await locate(flags);
      const file = server
        ? join(dataDir, 'logs', 'servers', `${server}.log`)
        : daemonLogPath(dataDir);
      if (!existsSync(file)) {
        throw new PmlError('BAD_REQUEST', `${file} does not exist: nothing was logged yet`);
      }
      const count = Number(flags.lines);
      if (!Number.isInteger(count) || count < 0) {
        throw new PmlError('BAD_REQUEST', `--lines must be a whole number, got ${flags.lines}`);
      }
      print(
        showLog(
          readFileSync(file, 'utf8')
            .trimEnd()
            .split('\n')
            .slice(count === 0 ? Infinity : -count)
            .join('\n'),
        ),
      );
      if (flags.follow) follow(file);
    });
}

function follow(file: string): void {
  let position = statSync(file).size;
  watchFile(file, { interval: 300 }, ({ size }) => {
    if (size < position) position = 0;
    if (size === position) return;
    createReadStream(file, { start: position, end: size - 1, encoding: 'utf8' }).on(
      'data',
      (text) => process.stdout.write(showLog(String(text))),
    );
    position = size;
  });
}

// oxlint-disable-next-line no-control-regex -- colours are control sequences
const COLOURS = /\u001B\[[\d;]*m/g;

/** What a server printed, without its colours and with nothing that could repaint the terminal. */
export function showLog(text: string): string {
  return text
    .replaceAll(COLOURS, '')
    .replaceAll(/\r$/gm, '')
    .replaceAll(/[^\n\t]+/g, visible);
}
