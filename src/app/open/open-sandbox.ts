import type { LoadedConfig } from '../../config/load.js';
import type { Logger, Sandbox } from '../../core/index.js';

export async function openSandbox({ file }: LoadedConfig, log: Logger): Promise<Sandbox> {
  // Loaded with the first script.
  const { createSandbox } = await import('../../sandbox/index.js');
  const { processes, allMemoryBytes } = file.code;
  return createSandbox({ log, processes, allMemoryBytes });
}
