/**
 * Entry of the process that learns vectors of tools. A process and not a thread: it must not take
 * processor time or memory from the daemon, and the daemon can end it at any moment.
 */
import { setPriority } from 'node:os';

import { learnToolVectors, type VectorRequest, type VectorTask } from '../attention/index.js';
import { messageOf } from '../core/index.js';
import type { FromLearning, ToLearning } from './learning-protocol.js';
import { watchLimits } from './watch-limits.js';

/** Everything else on the machine goes first. */
const LOWEST_PRIORITY = 19;

const requests: VectorRequest[] = [];
let task: Omit<VectorTask, 'requests'> | undefined;

function send(message: FromLearning, sent: () => void = () => {}): void {
  process.send?.(message, sent);
}

function learn(): void {
  if (!task) return;
  try {
    const lesson = learnToolVectors({ ...task, requests });
    const { user, system } = process.cpuUsage();
    send({ kind: 'learned', lesson, cpuMs: (user + system) / 1_000 }, () => process.exit());
  } catch (error) {
    send({ kind: 'failed', message: messageOf(error) }, () => process.exit(1));
  }
}

function receive(message: ToLearning): void {
  switch (message.kind) {
    case 'begin':
      watchLimits(message.limits);
      task = message.task;
      return;
    case 'requests':
      requests.push(...message.requests);
      return;
    case 'learn':
      return learn();
  }
}

process.title = 'pml-learning';
try {
  setPriority(LOWEST_PRIORITY);
} catch (error) {
  // A system that forbids it lets the process run as any other: its limits hold all the same.
  process.stderr.write(`priority not lowered: ${messageOf(error)}\n`);
}
process.on('message', receive);
process.on('disconnect', () => process.exit());
// Ctrl-C reaches the whole group; our end is the business of the process that started us.
process.on('SIGINT', () => {});
send({ kind: 'ready' });
