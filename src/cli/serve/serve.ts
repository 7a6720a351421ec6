import { parseArgs } from 'node:util';

import { VERSION } from '../../app/version.js';
import { Relay } from '../../daemon/relay.js';
import { socketPath } from '../../daemon/socket-path.js';
import { startDaemon } from '../../daemon/start-daemon.js';
import { readStartError } from '../../daemon/start-error.js';
import { locate } from '../daemon/locate.js';

/**
 * `pml serve`: stdio for one client. Loads next to nothing: every agent session starts one of these,
 * and the daemon does the work. `onLoaded` is called when all of it is loaded.
 */
export async function serve(args: readonly string[], onLoaded: () => void): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      config: { type: 'string' },
      'data-dir': { type: 'string' },
      profile: { type: 'string' },
    },
  });
  const located = await locate({ config: values.config, dataDir: values['data-dir'] });
  const { path: config, dataDir } = located;
  process.stdout.on('error', () => process.exit(0));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(0));
  }
  onLoaded();
  await new Relay({
    path: socketPath(dataDir),
    version: VERSION,
    config,
    profile: values.profile,
    input: process.stdin,
    output: process.stdout,
    startDaemon: () => startDaemon({ ...located, config }),
    startError: () => readStartError(dataDir),
    // Loaded only when it is needed.
    silenceError: async () => {
      const { silenceError } = await import('../../daemon/index.js');
      return silenceError(dataDir);
    },
    say: (line) => process.stderr.write(`${line}\n`),
  }).run();
  process.exit(0);
}
