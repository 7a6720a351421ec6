import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import type { VectorLesson, VectorRequest, VectorTask, VectorTrainer } from '../attention/index.js';
import type { Logger } from '../core/index.js';
import {
  type FromLearning,
  type LearningLimits,
  TOOK_TOO_LONG,
  TOOK_TOO_MUCH,
  type ToLearning,
} from './learning-protocol.js';

const LIMITS: LearningLimits = { cpuMs: 60_000, memoryBytes: 300e6 };
/** A process of lowest priority may wait long for its turn, but not for ever. */
const PATIENCE_MS = 15 * 60_000;
/** So many requests go at once: all of their vectors would be held twice. */
const SENT_AT_ONCE = 100;

export interface ProcessTrainerOptions {
  readonly log: Logger;
  readonly limits?: LearningLimits;
  /** Hears of every process that is started. */
  readonly onStarted?: (pid: number) => void;
}

/** Learns in a process of its own, one at a time. Closing it ends the process. */
export class ProcessTrainer implements AsyncDisposable {
  readonly #options: ProcessTrainerOptions;
  readonly #closing = new AbortController();
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ProcessTrainerOptions) {
    this.#options = options;
  }

  /** Rejects if the process ends without a lesson: it took too much, or it was ended. */
  readonly train: VectorTrainer = (task) => {
    const lesson = this.#last.then(() => this.#train(task));
    this.#last = lesson.catch(() => {});
    return lesson;
  };

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#last;
  }

  async #train(task: VectorTask): Promise<VectorLesson> {
    const { log, limits = LIMITS, onStarted } = this.#options;
    if (this.#closing.signal.aborted) throw notLearned('PML stops');
    const child = startLearningProcess(log);
    if (child.pid !== undefined) onStarted?.(child.pid);
    const ended = endOf(child);
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(PATIENCE_MS)]);
    const kill = () => void child.kill('SIGKILL');
    signal.addEventListener('abort', kill);
    try {
      const lesson = lessonOf(child, ended);
      await Promise.race([sendTask(child, task, limits), lesson]);
      return await lesson;
    } finally {
      signal.removeEventListener('abort', kill);
      kill();
      await ended;
    }
  }
}

function startLearningProcess(log: Logger): ChildProcess {
  const isSource = import.meta.url.endsWith('.ts');
  const entry = new URL(
    isSource ? './learning-process.ts' : './learning-process.js',
    import.meta.url,
  );
  const child = fork(fileURLToPath(entry), [], {
    execArgv: isSource ? ['--import', import.meta.resolve('tsx')] : [],
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => log.debug('learning', { text: String(chunk).trim() }));
  }
  return child;
}

/** In parts, each after the one before is on its way. */
async function sendTask(
  child: ChildProcess,
  { requests, ...task }: VectorTask,
  limits: LearningLimits,
): Promise<void> {
  const send = (message: ToLearning) =>
    new Promise<void>((resolve) => {
      // A process that is gone cannot be told anything; its end is what rejects.
      if (child.connected) child.send(message, () => resolve());
      else resolve();
    });
  await send({ kind: 'begin', task, limits });
  let part: VectorRequest[] = [];
  for (const request of requests) {
    part.push(request);
    if (part.length < SENT_AT_ONCE) continue;
    await send({ kind: 'requests', requests: part });
    part = [];
  }
  await send({ kind: 'requests', requests: part });
  await send({ kind: 'learn' });
}

function lessonOf(child: ChildProcess, ended: Promise<string>): Promise<VectorLesson> {
  return new Promise((resolve, reject) => {
    child.on('message', (received) => {
      const message = received as FromLearning;
      if (message.kind === 'learned') resolve(message.lesson);
      if (message.kind === 'failed') reject(notLearned(message.message));
    });
    void ended.then((how) => reject(notLearned(how)));
  });
}

/** How it ended, in words. */
function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(describeEnd(code, signal)));
    child.on('error', (error) => {
      if (child.pid === undefined) resolve(error.message);
    });
  });
}

function describeEnd(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal === TOOK_TOO_LONG) return 'it took more processor time than it may';
  if (signal === TOOK_TOO_MUCH) return 'it took more memory than it may';
  return `it ended with ${signal ?? `code ${code}`}`;
}

/** No client ever gets it: what was learned before stays in use, and the status says why. */
function notLearned(why: string): Error {
  return new Error(`the learning process failed: ${why}`);
}
