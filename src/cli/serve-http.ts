import { readFileSync } from 'node:fs';

import { Command } from 'commander';

import type { OpenHttp } from '../app/control.js';
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
      for (const line of describeAccess(answer as unknown as OpenHttp)) print(line);
      await endOf(located.dataDir, params);
      await askDaemon(located.dataDir, 'http-close');
      if (wasStarted) await askDaemon(located.dataDir, 'stop', { ifUnused: true });
      process.exit(0);
    });
}

/** The token is shown once, when it is made; after that its file has it. */
function describeAccess(opened: OpenHttp): readonly string[] {
  return [...describeToken(opened), `PML serves MCP at ${opened.url} (Ctrl-C ends it)`];
}

function describeToken({ access, tokenFile = '', isNewToken }: OpenHttp): readonly string[] {
  if (access === 'none') {
    return ['No token is needed (http.token is false): every program on this machine can use it.'];
  }
  if (access === 'configured') {
    return ['Clients send the header Authorization: Bearer <http.token of the configuration>'];
  }
  const shown = isNewToken ? readFileSync(tokenFile, 'utf8').trim() : '<token>';
  return [
    `Clients send the header Authorization: Bearer ${shown}`,
    `The token is in ${tokenFile}${isNewToken ? ' and is not shown again' : ''}`,
  ];
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
