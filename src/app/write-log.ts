import type { Writable } from 'node:stream';

/**
 * Writes lines of the log to a stream and never throws: a disk that is full must not end what is logged,
 * and an error that is logged because the log failed would go round for ever. Lines that are lost are
 * counted, and the count is told with the next line that can be written.
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
      lost++; // A file is written at once, so its errors come here.
    }
  };
}
