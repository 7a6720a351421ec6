import type { Writable } from 'node:stream';

/**
 * Writes log lines to a stream and never throws: a full disk must not stop the logging code, and
 * logging a failure of the log would loop forever. Counts lost lines and reports the count with the
 * next line that succeeds.
 */
export function createLogWriter(stream: Pick<Writable, 'write' | 'on'>): (line: string) => void {
  let lost = 0;
  stream.on('error', () => lost++);
  return (line) => {
    const note = lost === 0 ? '' : `… ${lost} lines of the log could not be written\n`;
    try {
      stream.write(`${note}${line}`);
      if (note !== '') lost = 0;
    } catch {
      lost++; // Files are written synchronously, so their errors arrive here.
    }
  };
}
