import { Command } from 'commander';

import { PmlError } from '../core/index.js';
import { askDaemon } from '../daemon/index.js';
import { print } from './print.js';
import { askStarted, type DaemonFlags } from './with-daemon.js';

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
      await interrupted();
      await askDaemon(located.dataDir, 'http-close');
      if (wasStarted) await askDaemon(located.dataDir, 'stop', { ifUnused: true });
      process.exit(0);
    });
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    // Keeps the process alive: signals alone do not.
    const alive = setInterval(() => {}, 1 << 30);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => {
        clearInterval(alive);
        resolve();
      });
    }
  });
}
