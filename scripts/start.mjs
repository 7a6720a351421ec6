// `npm start`: installs, builds and serves the sample servers over HTTP until Ctrl-C. Ends the daemon
// and every server it started, whatever way it is stopped.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { build, install, requireNode, root, say } from './setup.mjs';

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
    if (url) say(welcome(url, headersOf(printed)));
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

/** What clients must send. The server says, before its address, where the token is. */
function headersOf(printed) {
  const file = /^The token is in (.+?)(?: and is not shown again)?$/m.exec(printed)?.[1];
  return file ? { Authorization: `Bearer ${readFileSync(file, 'utf8').trim()}` } : undefined;
}

function welcome(url, headers) {
  const flags = Object.entries(headers ?? {}).map(
    ([name, value]) => ` --header "${name}: ${value}"`,
  );
  const remote = JSON.stringify({ url, ...(headers && { headers }) });
  const stdio = JSON.stringify({ command: 'node', args: [cli, 'serve', '--config', config] });
  return `
PML serves MCP at ${url}
Behind it: filesystem (samples/files), memory, everything. Ctrl-C ends all of it.

Point a client at it, over HTTP${headers ? ' (with the token of this data directory)' : ''}
  Claude Code   claude mcp add --transport http pml ${url}${flags.join('')}
  Cursor        .cursor/mcp.json    {"mcpServers": {"pml": ${remote}}}
  VS Code       .vscode/mcp.json    {"servers": {"pml": ${remote.replace('{', '{"type":"http",')}}}

or over stdio (works without this window: the daemon starts when it is needed)
  Claude Code   claude mcp add pml -- node ${cli} serve --config ${config}
  Cursor        .cursor/mcp.json    {"mcpServers": {"pml": ${stdio}}}
  VS Code       .vscode/mcp.json    {"servers": {"pml": ${stdio.replace('{', '{"type":"stdio",')}}}

Look inside, in another terminal
  node dist/cli.js status --config samples/pml.json           servers, clients, tokens saved
  node dist/cli.js tools --tokens --config samples/pml.json   every tool and what its schema costs
  node dist/cli.js doctor --config samples/pml.json           is everything in order?

Your own servers: node dist/cli.js init --help
`;
}
