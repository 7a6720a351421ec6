import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import type { Logger } from '../core/index.js';

/** Starts the process of a model. It ends with this one and does not keep it alive by itself. */
export function startModelProcess(logger: Logger): ChildProcess {
  const isSource = import.meta.url.endsWith('.ts');
  const entry = new URL(isSource ? './model-process.ts' : './model-process.js', import.meta.url);
  const child = fork(fileURLToPath(entry), [], {
    execArgv: isSource ? ['--import', import.meta.resolve('tsx')] : [],
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => logger.debug('model', { text: String(chunk).trim() }));
    // A pipe of a child is a socket, which the types do not say.
    (stream as unknown as { unref?: () => void } | null)?.unref?.();
  }
  child.unref();
  child.channel?.unref();
  return child;
}
