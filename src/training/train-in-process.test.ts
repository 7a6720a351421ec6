import { getPriority } from 'node:os';

import { afterEach, expect, test, vi } from 'vitest';

import { slangTask } from '../../test/helpers/vector-task.js';
import { learnToolVectors, type VectorTask } from '../attention/index.js';
import { silentLogger } from '../core/index.js';
import type { LearningLimits } from './learning-protocol.js';
import { ProcessTrainer } from './train-in-process.js';

/** A process of lowest priority waits its turn on a busy machine. */
vi.setConfig({ testTimeout: 120_000 });

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one[Symbol.asyncDispose]();
});

function createTrainer(limits?: LearningLimits, onStarted: (pid: number) => void = () => {}) {
  const trainer = new ProcessTrainer({ log: silentLogger, onStarted, ...(limits && { limits }) });
  open.push(trainer);
  return trainer;
}

/** More than any machine does in the time a test has. */
function endlessTask(): VectorTask {
  const task = slangTask({ count: 600 });
  return { ...task, folds: 10_000, requests: task.requests.map((one, fold) => ({ ...one, fold })) };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    // No such process.
    return false;
  }
}

// covers: VEC-PROCESS
test('a process of lowest priority learns what this process would learn, and ends', async () => {
  const task = slangTask({ count: 48 });
  const pids: number[] = [];
  const { train } = createTrainer(undefined, (pid) => pids.push(pid));

  expect(await train(task)).toEqual(learnToolVectors(task));

  expect(pids).toHaveLength(1);
  expect(isAlive(pids[0]!)).toBe(false);
});

// covers: VEC-PROCESS
test('the learning process has the lowest priority, runs alone, and ends with its trainer', async () => {
  const pids: number[] = [];
  const trainer = createTrainer(undefined, (pid) => pids.push(pid));
  const [first, second] = [trainer.train(endlessTask()), trainer.train(endlessTask())];
  const ends = Promise.allSettled([first, second]);

  await expect.poll(() => pids.length > 0 && getPriority(pids[0]), { timeout: 100_000 }).toBe(19);
  expect(pids).toHaveLength(1);
  await trainer[Symbol.asyncDispose]();

  const [one, other] = await ends;
  expect([one?.status, other?.status]).toEqual(['rejected', 'rejected']);
  expect(pids).toHaveLength(1);
  expect(isAlive(pids[0]!)).toBe(false);
});

// covers: VEC-PROCESS
test.each([
  ['processor time', { cpuMs: 1, memoryBytes: 1e12 }],
  ['memory', { cpuMs: 1e9, memoryBytes: 1 }],
])('a learning process that takes more %s than it may is ended', async (what, limits) => {
  const { train } = createTrainer(limits);

  await expect(train(endlessTask())).rejects.toThrow(`more ${what} than it may`);
});

// covers: VEC-PROCESS
test('a learning process that is killed fails, and the next one learns', async () => {
  const task = slangTask({ count: 48 });
  const pids: number[] = [];
  const { train } = createTrainer(undefined, (pid) => {
    pids.push(pid);
    if (pids.length === 1) process.kill(pid, 'SIGKILL');
  });

  await expect(train(task)).rejects.toThrow('SIGKILL');

  expect((await train(task)).heldOut).toHaveLength(48);
});
