import { Worker, type WorkerOptions } from 'node:worker_threads';

import type { Logger } from '../../core/index.js';

/**
 * Starts the PGlite thread. Whatever PGlite prints goes to the log: stdout belongs to the protocol.
 */
export function startPgliteWorker(logger: Logger): Worker {
  const options = { name: 'pml-store', execArgv: [], stdout: true, stderr: true };
  const worker = import.meta.url.endsWith('.ts')
    ? startFromSources(options)
    : new Worker(new URL('./pglite-worker.js', import.meta.url), options);
  for (const stream of [worker.stdout, worker.stderr]) {
    stream.on('data', (chunk: Buffer) => logger.debug('pglite', { text: String(chunk).trim() }));
  }
  return worker;
}

/** Node 20 cannot run TypeScript, and what reads it for the main thread does not reach into a worker. */
function startFromSources(options: WorkerOptions): Worker {
  const hooks = new URL('../../../scripts/strip-types.mjs', import.meta.url).href;
  const entry = new URL('./pglite-worker.ts', import.meta.url).href;
  const boot = `require('node:module').register(${JSON.stringify(hooks)});
    import(${JSON.stringify(entry)});`;
  return new Worker(boot, { ...options, eval: true });
}
