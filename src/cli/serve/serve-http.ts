import { readFileSync } from 'node:fs';

import { Command } from 'commander';

import type { OpenHttp } from '../../control/index.js';
import { PmlError } from '../../core/errors.js';
import { askControl } from '../daemon/ask-control.js';
import { askStarted, type DaemonFlags } from '../daemon/ask.js';
import { print } from '../print/print.js';
import { keepServing } from './keep-serving.js';

/** `pml serve` itself is handled before this program is loaded; here is its help and `--http`. */
export function serveCommand(): Command {
  return new Command('serve')
    .option('--http', 'streamable HTTP on loopback, until Ctrl-C')
    .option('--port <number>', 'port for --http (default: http.port of the configuration)')
    .option('--profile <name>', 'only what this profile of the configuration has; not with --http')
    .option('--config <path>', 'configuration file')
    .option('--data-dir <path>', 'data directory')
    .action(async (flags: DaemonFlags & { port?: string; profile?: string }) => {
      if (flags.profile !== undefined) {
        const message =
          '--profile is for one client over stdio. Over HTTP, set "profile" in the configuration';
        throw new PmlError('BAD_REQUEST', message);
      }
      const port = flags.port === undefined ? undefined : Number(flags.port);
      if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port < 65_536)) {
        throw new PmlError('BAD_REQUEST', `--port must be a port number, got ${flags.port}`);
      }
      const params = port === undefined ? {} : { port };
      const asked = await askStarted(flags, 'http-open', params);
      const { located, answer: opened, wasStarted } = asked;
      for (const line of describeAccess(opened)) print(line);
      // A daemon that follows serves the same address, also where the system chose the port.
      const same = { port: Number(new URL(opened.url).port || 80) };
      const { dataDir } = located;
      const { wasRestarted } = await keepServing(flags, {
        dataDir,
        params: same,
        signal: untilSignal(),
      });
      await askControl(dataDir, 'http-close', {});
      if (wasStarted || wasRestarted) {
        await askControl(dataDir, 'stop', { ifUnused: true });
      }
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

function untilSignal(): AbortSignal {
  const ended = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => ended.abort());
  }
  return ended.signal;
}
