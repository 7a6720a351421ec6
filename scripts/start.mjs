// `npm start`: installs, builds and serves the sample servers over HTTP until Ctrl-C. Ends the daemon
// and every server it started, whatever way it is stopped.
import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { build, install, requireNode, root, say } from './setup.mjs';
import { headersOf, welcome } from './welcome.mjs';

const FIRST_PORT = 7717;
const PORTS_TO_TRY = 20;
const cli = join(root, 'dist', 'cli.js');
const config = join(root, 'samples', 'pml.json');

requireNode();
install();
build();
await serve(await freePort());

async function serve(port) {
  const server = spawn(
    process.execPath,
    [cli, 'serve', '--http', '--port', String(port), '--config', config],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let isStopping = false;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    say('\nStopping …');
    server.kill('SIGTERM');
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);

  let printed = '';
  let url;
  server.stdout.on('data', (chunk) => {
    if (url) return;
    printed += String(chunk);
    url = /serves MCP at (\S+)\s/.exec(printed)?.[1];
    if (url)
      say(welcome({ url, headers: headersOf(printed), cli, config, dashboard: dashboardUrl() }));
  });
  const code = await new Promise((resolve) => server.once('close', resolve));
  // The server asks its daemon to end; this waits until it and all it started are gone.
  const { stdout } = spawnSync(process.execPath, [cli, 'stop', '--config', config], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  say(isStopping ? 'Stopped. Nothing is left running.' : String(stdout).trim());
  process.exit(isStopping ? 0 : (code ?? 1));
}

/** Signs one browser in; the configuration may turn the dashboard off. */
function dashboardUrl() {
  const { status, stdout } = spawnSync(
    process.execPath,
    [cli, 'ui', '--json', '--config', config],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  return status === 0 ? JSON.parse(stdout).url : undefined;
}

async function freePort() {
  for (let port = FIRST_PORT; port < FIRST_PORT + PORTS_TO_TRY; port++) {
    if (await isFree(port)) return port;
    say(`Port ${port} is taken.`);
  }
  return 0;
}

function isFree(port) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
