// An MCP server over stdio that gives recorded results. `node replay-server.mjs FILE SERVER`, where the
// file holds {"latencyMs", "servers": {NAME: {TOOL: {"isReading", "results": {ARGS: TEXT}}}}}.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const [file, server] = process.argv.slice(2);
const { latencyMs, servers } = JSON.parse(readFileSync(file, 'utf8'));
const tools = servers[server];

const listed = Object.entries(tools).map(([name, { isReading }]) => ({
  name,
  inputSchema: { type: 'object' },
  annotations: isReading ? { readOnlyHint: true, openWorldHint: false } : { readOnlyHint: false },
}));

async function serve({ method, params = {} }) {
  if (method === 'initialize') {
    return {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: server, version: '1' },
    };
  }
  if (method === 'tools/list') return { tools: listed };
  if (method === 'tools/call') {
    await delay(latencyMs);
    const text = tools[params.name]?.results[JSON.stringify(params.arguments ?? {})] ?? '';
    return { content: [{ type: 'text', text }] };
  }
  if (method === 'ping') return {};
  throw new Error(`no ${method}`);
}

createInterface({ input: process.stdin }).on('line', async (line) => {
  const message = JSON.parse(line);
  if (message.id === undefined) return;
  const answer = await serve(message).then(
    (result) => ({ result }),
    (error) => ({ error: { code: -32601, message: error.message } }),
  );
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answer })}\n`);
});
