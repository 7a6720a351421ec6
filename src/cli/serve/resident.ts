import { fileURLToPath } from 'node:url';

import {
  codeTag,
  DAEMON_FLAGS,
  RELAY_FLAGS,
  restFlags,
  useFlags,
} from '../../daemon/code-flags.js';
import { reuseCompiledCode } from '../compiled-code.js';

/** By then a daemon has answered its first client and read its store. */
const SETTLED_MS = 5_000;

/**
 * Runs the relay or the daemon, which every session waits for. The build makes CommonJS of both, because
 * Node can keep what V8 compiled of that. They report their failures themselves: an error of this code is
 * no error of the modules that `cli.ts` is made of.
 */
export async function runResident(
  command: 'serve' | 'daemon',
  args: readonly string[],
): Promise<void> {
  const isRelay = command === 'serve';
  const flags = isRelay ? RELAY_FLAGS : DAEMON_FLAGS;
  try {
    restFlags(flags);
    const { close, keep } = reuseCompiledCode({
      // Clients can give flags to Node, each its own: they do not replace the code of each other.
      name: `${command}-${codeTag()}`,
      folder: 'resident',
      flags: { rest: () => restFlags(flags), use: () => useFlags(flags) },
      build: '__BUILD__',
      dist: fileURLToPath(new URL('../../', import.meta.url)),
    });
    if (isRelay) {
      await (await import('./serve.js')).serve(args, close);
    } else {
      setTimeout(keep, SETTLED_MS).unref();
      await (await import('./daemon.js')).daemon(args, close);
    }
  } catch (error) {
    (await import('../report-failure.js')).reportFailure(error);
    if (isRelay) process.exit();
  }
}
