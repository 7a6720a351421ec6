import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

import type { LockOwner } from '../process/index.js';
import { daemonLogPath } from './start-daemon.js';

/** What Node prints before it ends itself comes with a stack of some kilobytes. */
const TAIL_BYTES = 16_384;

/** What Node and its parts say when they end a process, in the order of how much it tells. */
const REASONS: readonly { readonly words: RegExp; readonly why: string }[] = [
  { words: /FATAL ERROR: .*heap out of memory/, why: 'memory ran out' },
  { words: /Fatal process OOM in .*/, why: 'the system gave it no more memory or addresses' },
  { words: /memory allocation of \d+ bytes failed/, why: 'memory ran out' },
  { words: /FATAL ERROR: .*/, why: 'Node ended it' },
  { words: /# Fatal error in .*/, why: 'Node ended it' },
];
const HINTS = {
  said: 'If it happens again, look at what it was doing then, and at ulimit -v and the memory limit of its service or container',
  silent:
    'It was killed (kill -9, or by the system for want of memory: `dmesg` tells) or crashed. If it happens again, look at the memory of the machine and at the limits of its service or container',
};

/** The end of the log, which is the last a daemon that died had to say. */
export function lastWords(dataDir: string): string {
  try {
    const file = openSync(daemonLogPath(dataDir), 'r');
    try {
      const { size } = fstatSync(file);
      const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
      readSync(file, bytes, 0, bytes.length, size - bytes.length);
      return bytes.toString('utf8');
    } finally {
      closeSync(file);
    }
  } catch {
    return ''; // No log, so it said nothing.
  }
}

/** How a daemon ended that did not release its lock, for the log of the next. */
export function explainDeath({ pid, isOfThisBoot }: LockOwner, words: string): string {
  const who = `the daemon before this one (pid ${pid})`;
  if (!isOfThisBoot) return `${who} ended with the machine, which was started again since`;
  const last = words.slice(words.lastIndexOf(`pid=${pid} `) + 1);
  for (const { words: pattern, why } of REASONS) {
    const [said] = pattern.exec(last) ?? [];
    if (said) return `${who} died: ${why} ("${said.trim()}"). ${HINTS.said}`;
  }
  return `${who} ended without saying why. ${HINTS.silent}`;
}
