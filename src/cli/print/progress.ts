/** Whoever waits less than this need not be told. */
const QUIET_MS = 1_000;
const BETWEEN_LINES_MS = 2_000;

export interface Progress {
  /** Says where things stand, if it takes long enough to say so. */
  show(line: string): void;
  /** Leaves the terminal as it should be for what comes next. */
  end(): void;
}

/** On a terminal one line that is written over; elsewhere a line now and then. */
export function createProgress(stream: NodeJS.WriteStream, quietMs = QUIET_MS): Progress {
  let nextAt = performance.now() + quietMs;
  let shown = '';
  return {
    show(line) {
      if (line === shown || performance.now() < nextAt) return;
      if (stream.isTTY) {
        stream.write(`\r\u001B[K${line}`);
        nextAt = 0;
      } else {
        stream.write(`${line}\n`);
        nextAt = performance.now() + BETWEEN_LINES_MS;
      }
      shown = line;
    },
    end() {
      if (stream.isTTY && shown !== '') stream.write('\r\u001B[K');
    },
  };
}
