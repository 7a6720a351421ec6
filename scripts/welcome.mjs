// What `npm start` prints: every command and every entry works as it is, pasted.
import { readFileSync } from 'node:fs';

/** What clients must send. The server says, before its address, where the token is. */
export function headersOf(printed) {
  const file = /^The token is in (.+?)(?: and is not shown again)?$/m.exec(printed)?.[1];
  return file ? { Authorization: `Bearer ${readFileSync(file, 'utf8').trim()}` } : undefined;
}

export function welcome({ url, headers, cli, config, dashboard }) {
  const node = process.execPath;
  const flags = Object.entries(headers ?? {}).map(([key, value]) => `--header "${key}: ${value}"`);
  const remote = { url, ...(headers && { headers }) };
  // The path of this Node: programs with a window do not find `node`.
  const stdio = { command: node, args: [cli, 'serve', '--config', config] };
  const entry = (list, value) => JSON.stringify({ [list]: { pml: value } });
  return `
PML serves MCP at ${url}
Behind it: filesystem (samples/files), memory, everything. Ctrl-C ends all of it.
${dashboard ? `\nThe dashboard, in your browser (signs in once; again with: node dist/cli.js ui --config samples/pml.json)\n  ${dashboard}\n` : ''}
Point a client at it, over HTTP
  Claude Code   ${['claude mcp add --transport http pml', url, ...flags].join(' ')}
  Cursor        .cursor/mcp.json    ${entry('mcpServers', remote)}
  VS Code       .vscode/mcp.json    ${entry('servers', { type: 'http', ...remote })}

or over stdio (works without this window: the daemon starts when it is needed)
  Claude Code   ${['claude mcp add pml --', ...[node, ...stdio.args].map(quoted)].join(' ')}
  Cursor        .cursor/mcp.json    ${entry('mcpServers', stdio)}
  VS Code       .vscode/mcp.json    ${entry('servers', { type: 'stdio', ...stdio })}

Look inside, in another terminal
  node dist/cli.js status --config samples/pml.json           servers, clients, tokens saved
  node dist/cli.js tools --tokens --config samples/pml.json   every tool and what its schema costs
  node dist/cli.js doctor --config samples/pml.json           is everything in order?

Your own servers: node dist/cli.js init --help
`;
}

/** As a shell takes it for one word. */
function quoted(text) {
  return /^[\w./:=@-]+$/.test(text) ? text : `"${text}"`;
}
