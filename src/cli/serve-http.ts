import { Command } from 'commander';

import { type JsonObject, PmlError } from '../core/index.js';
import { askDaemon } from '../daemon/index.js';
import { print } from './print.js';
import { askStarted, type DaemonFlags } from './with-daemon.js';

const LOOK_MS = 1_000;
const MISSES = 8;

/** `pml serve` itself is handled before this program is loaded; here is its help and `--http`. */
export function serveCommand(): Command {
  return new Command('serve')
    .description('Serve MCP: over stdio for one client, or with --http for many')
    .option('--http', 'streamable HTTP on loopback, until Ctrl-C')
    .option('--port <number>', 'port for --http (default: http.port of the configuration)')
    .option('--config <path>', 'configuration file')
    .option('--data-dir <path>', 'data directory')
    .action(async (flags: DaemonFlags & { port?: string }) => {
      const port = flags.port === undefined ? undefined : Number(flags.port);
      if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port < 65_536)) {
        throw new PmlError('BAD_REQUEST', `--port must be a port number, got ${flags.port}`);
      }
      const params = port === undefined ? {} : { port };
      const { located, answer, wasStarted } = await askStarted(flags, 'http-open', params);
      print(`PML serves MCP at ${answer['url'] as string} (Ctrl-C ends it)`);
      await endOf(located.dataDir, params);
      await askDaemon(located.dataDir, 'http-close');
      if (wasStarted) await askDaemon(located.dataDir, 'stop', { ifUnused: true });
      process.exit(0);
    });
}

/**
 * Resolves on Ctrl-C. A daemon that was replaced meanwhile is asked to serve HTTP as well; one that
 * does not come back ends us.
 */
function endOf(dataDir: string, params: JsonObject): Promise<void> {
  return new Promise((resolve, reject) => {
    let misses = 0;
    const look = setInterval(() => {
      askDaemon(dataDir, 'http-open', params)
        .then((answer) => {
          misses = answer ? 0 : misses + 1;
          if (misses < MISSES) return;
          reject(new PmlError('DAEMON_UNREACHABLE', 'The daemon has ended, so nothing is served.'));
        })
        // It ended while it was asked: the next look tells whether another one came.
        .catch(() => misses++);
    }, LOOK_MS);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => {
        clearInterval(look);
        resolve();
      });
    }
  });
}
