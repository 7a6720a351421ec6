import type { Sandbox } from '../../core/index.js';

/** A sandbox that is opened with the first script: most sessions have none. */
export function lazySandbox(open: () => Promise<Sandbox>): Sandbox {
  let opening: Promise<Sandbox> | undefined;
  const opened = () => (opening ??= open());
  return {
    run: async (...script) => (await opened()).run(...script),
    warmUp: async () => (await opened()).warmUp(),
    async [Symbol.asyncDispose]() {
      // One that could not be opened has nothing to close.
      const sandbox = await opening?.catch(() => undefined);
      await sandbox?.[Symbol.asyncDispose]();
    },
  };
}
