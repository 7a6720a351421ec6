import { expect, test } from 'vitest';

import { createLogWriter } from './write-log.js';

/** A log file on a disk that can be full. */
function createFile() {
  const written: string[] = [];
  const file = {
    isFull: false,
    write(text: string) {
      if (file.isFull) throw new Error('ENOSPC');
      written.push(text);
      return true;
    },
    on: () => file,
  };
  return { file, written };
}

test('a log that cannot be written throws nothing and tells later how much is missing', () => {
  const { file, written } = createFile();
  const write = createLogWriter(file as never);

  write('one\n');
  file.isFull = true;
  write('two\n');
  write('three\n');
  file.isFull = false;
  write('four\n');
  write('five\n');

  expect(written).toEqual(['one\n', '… 2 lines of the log could not be written\nfour\n', 'five\n']);
});
