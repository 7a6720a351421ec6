import { nowMs } from './clock.js';

/** Shorter waits show no progress. */
const QUIET_MS = 1_000;
const BETWEEN_LINES_MS = 2_000;

export interface Progress {
  /** Shows the progress if the wait is long enough. */
  show(line: string): void;
  /** Clears the line for the output that follows. */
  end(): void;
}

/** On a terminal it overwrites one line; elsewhere it prints a line from time to time. */
export function createProgress(stream: NodeJS.WriteStream, quietMs = QUIET_MS): Progress {
  let nextAt = nowMs() + quietMs;
  let shown = '';
  return {
    show(line) {
      if (line === shown || nowMs() < nextAt) return;
      if (stream.isTTY) {
        stream.write(`\r\u001B[K${line}`);
        nextAt = 0;
      } else {
        stream.write(`${line}\n`);
        nextAt = nowMs() + BETWEEN_LINES_MS;
      }
      shown = line;
    },
    end() {
      if (stream.isTTY && shown !== '') stream.write('\r\u001B[K');
    },
  };
}
