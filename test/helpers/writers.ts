import { askDaemon } from '../../src/daemon/index.js';
import type { Counter } from './counter.js';
/** Capabilities that write keys: one after the other, all at once, and by calling each other. */
import { identityOfText } from './of-text.js';

/** As `append` of the servers is, so far as it matters. */
const APPEND = {
  hash: 'any',
  inputSchema: {
    type: 'object',
    properties: {
      key: { type: 'string' },
      beforeMs: { type: 'number' },
      afterMs: { type: 'number' },
      after: {},
    },
    required: ['key'],
  },
};

interface Writer {
  readonly name: string;
  readonly code: string;
  readonly contains: readonly string[];
  readonly lock: Readonly<Record<string, typeof APPEND>>;
}

const WRITERS: readonly Writer[] = [
  {
    name: 'writeInTurn',
    code: `const names = [];
        for (const key of args.keys) {
          names.push((await mcp.one.append({ key, beforeMs: args.ms })).key);
          console.log('wrote', key);
        }
        return names.filter((name) => name !== '');`,
    contains: [],
    lock: { 'one:append': APPEND },
  },
  {
    name: 'writeTogether',
    code: `const calls = args.keys.map((key, i) => mcp.two.append({ key, beforeMs: i * args.ms, afterMs: args.ms }));
        return (await Promise.all(calls)).map(({ key }) => key);`,
    contains: [],
    lock: { 'two:append': APPEND },
  },
  {
    name: 'writeBoth',
    code: `const [first, ...rest] = args.keys;
        const before = await cap.writeInTurn({ keys: [first], ms: args.ms });
        const after = await cap.writeTogether({ keys: rest, ms: args.ms });
        return [...before, ...after];`,
    contains: ['writeInTurn', 'writeTogether'],
    lock: {},
  },
];

const PARAMETERS = {
  type: 'object',
  properties: { keys: { type: 'array', items: { type: 'string' } }, ms: { type: 'number' } },
  required: ['keys', 'ms'],
};

/** Gives the daemon of a workspace the three capabilities. */
export async function installWriters({ workspace }: Counter): Promise<void> {
  const capabilities = WRITERS.map((writer) => ({
    ...writer,
    description: `writes keys: ${writer.name}`,
    intents: [],
    parameters: PARAMETERS,
    identity: identityOfText(writer.code),
    sequence: [],
  }));
  const file = { format: 'pml-capabilities', version: 1, capabilities };
  const answer = await askDaemon(workspace.dataDir, 'capabilities-import', { file } as never);
  const { outcomes } = (answer ?? {}) as { outcomes?: readonly { kind: string }[] };
  if (!outcomes?.every(({ kind }) => kind === 'imported')) throw new Error(JSON.stringify(answer));
}
