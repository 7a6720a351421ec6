// A real MCP server over stdio, as small as one can be: `sized-server.mjs NAME TOOLS [PROPERTIES]`.
// Beside its many tools it has `echo`, and `big`, which answers with so many megabytes.
import { createInterface } from 'node:readline';

const [name = 'sized', tools = '10', properties = '0'] = process.argv.slice(2);
const VERBS = ['get', 'list', 'create', 'update', 'search', 'export', 'check', 'merge'];
const THINGS = [
  'invoice',
  'ticket',
  'page',
  'branch',
  'order',
  'photo',
  'contact',
  'report',
  'job',
];

const text = (value) => ({ content: [{ type: 'text', text: value }] });
const object = (fields) => ({ type: 'object', properties: fields });

function listTools() {
  const made = Array.from({ length: Number(tools) }, (_, at) => {
    const verb = VERBS[at % VERBS.length];
    const thing = THINGS[at % THINGS.length];
    return {
      name: `${verb}_${thing}_${at}`,
      description: `${verb} the ${thing} number ${at} of ${name} and give back what it holds now`,
      inputSchema: object({ id: { type: 'string', description: `id of the ${thing}` } }),
    };
  });
  const wide = Array.from({ length: Number(properties) }, (_, at) => [
    `field_${at}`,
    { type: at % 2 ? 'string' : 'number', description: `value ${at} of the form` },
  ]);
  return [
    ...made,
    ...(wide.length > 0
      ? [
          {
            name: 'fill_form',
            description: 'fills a form',
            inputSchema: object(Object.fromEntries(wide)),
          },
        ]
      : []),
    {
      name: 'echo',
      description: 'says the same again',
      inputSchema: object({ message: { type: 'string' } }),
      annotations: { readOnlyHint: true },
    },
    {
      name: 'write',
      description: 'writes a message',
      inputSchema: object({ message: { type: 'string' } }),
    },
    {
      name: 'big',
      description: 'gives many rows',
      inputSchema: object({ megabytes: { type: 'number' } }),
    },
  ];
}

function call({ name: tool, arguments: args = {} }) {
  if (tool !== 'big') return text(`${tool} of ${name}: ${args.message ?? args.id ?? ''}`);
  const row = { id: 'row', text: 'some words of a row that is not very long', price: 12.5 };
  const count = Math.ceil((args.megabytes * 1e6) / 80);
  return text(JSON.stringify(Array.from({ length: count }, (_, at) => ({ ...row, at }))));
}

function answer({ method, params }) {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name, version: '1' },
      };
    case 'tools/list':
      return { tools: listTools() };
    case 'tools/call':
      return call(params);
    case 'ping':
      return {};
    default:
      return undefined;
  }
}

const say = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
createInterface({ input: process.stdin }).on('line', (line) => {
  const request = JSON.parse(line);
  if (request.id === undefined) return;
  const result = answer(request);
  const error = { code: -32_601, message: `no method ${request.method}` };
  say({ id: request.id, ...(result ? { result } : { error }) });
});
