import { Worker } from 'node:worker_threads';

import { type LearningLimits, TOOK_TOO_LONG, TOOK_TOO_MUCH } from './learning-protocol.js';

const EVERY_MS = 50;

/**
 * Ends this process when it takes more than it may. A thread of its own watches, since computing
 * blocks the main thread; the code is text, since sources and builds name files differently.
 */
export function watchLimits({ cpuMs, memoryBytes }: LearningLimits): void {
  const watch = `
    setInterval(() => {
      const { user, system } = process.cpuUsage();
      if ((user + system) / 1000 > ${cpuMs}) process.kill(process.pid, '${TOOK_TOO_LONG}');
      if (process.memoryUsage.rss() > ${memoryBytes}) process.kill(process.pid, '${TOOK_TOO_MUCH}');
    }, ${EVERY_MS});`;
  new Worker(watch, { eval: true, execArgv: [] }).unref();
}
