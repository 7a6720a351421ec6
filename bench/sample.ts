/**
 * One task on the servers of `npm start`, done twice: by an agent that has the three servers
 * directly, and by one that has PML. Both do the same calls on the same files. The README quotes
 * these figures.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

import { LineClient } from './line-client.js';
import { createReport, type Report } from './report.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CLI = join(ROOT, 'dist/cli.js');
const MODULES = join(ROOT, 'node_modules/@modelcontextprotocol');

type Json = Record<string, unknown>;

/** What the user asks for, what the agent looks for, and the script that the agent writes. */
export const SAMPLE_REQUEST = 'Record every expense of expenses.csv in memory, with the total';
export const SAMPLE_INTENT = 'read a text file, then create entities and relations in memory';
export const SAMPLE_CODE = `const allowed = await mcp.filesystem.list_allowed_directories({});
const folder = allowed.content.split('\\n')[1];
const { content } = await mcp.filesystem.read_text_file({ path: folder + '/expenses.csv' });
const rows = content.trim().split('\\n').slice(1).map((line) => line.split(','));
const total = rows.reduce((sum, [, , amount]) => sum + Number(amount), 0);
await mcp.memory.create_entities({
  entities: [
    ...rows.map(([date, what, amount]) => ({
      name: what, entityType: 'expense', observations: [date + ': ' + amount],
    })),
    { name: 'expenses', entityType: 'report', observations: ['total: ' + total.toFixed(2)] },
  ],
});
await mcp.memory.create_relations({
  relations: rows.map(([, what]) => ({ from: what, to: 'expenses', relationType: 'part of' })),
});
return { recorded: rows.length, total };`;

/** What one side of the comparison came to. */
export interface TaskCost {
  /** Tokens of tool descriptions and instructions that every turn of the model reads. */
  readonly menuTokens: number;
  /** How often the model waits for an answer before it can go on. */
  readonly roundTrips: number;
  /** Tokens that the model reads over all turns of the task: menu and everything before the turn. */
  readonly readTokens: number;
  /** What was asked and what was answered, in order. */
  readonly exchanges: readonly { readonly asked: Json; readonly answered: Json }[];
}

export interface SampleCosts {
  readonly direct: TaskCost;
  readonly pml: TaskCost;
  /** The same request again: PML kept the script. */
  readonly again: TaskCost;
}

export async function run(): Promise<Report> {
  const { direct, pml, again } = await measureSample();
  const row = (name: string, key: 'menuTokens' | 'roundTrips' | 'readTokens', unit: string) => [
    { name: `${name}, directly`, value: direct[key], unit },
    { name: `${name}, with PML`, value: pml[key], unit, ratio: pml[key] / direct[key] },
    { name: `${name}, with PML again`, value: again[key], unit, ratio: again[key] / direct[key] },
  ];
  return createReport('sample', [
    ...row('tool descriptions in context', 'menuTokens', 'tokens'),
    ...row('round trips of the task', 'roundTrips', 'calls'),
    ...row('read by the model over the task', 'readTokens', 'tokens'),
  ]);
}

export interface SampleOptions {
  /** `none` searches by words alone: quicker to start, for tests. */
  readonly embedding?: string;
}

export async function measureSample(options: SampleOptions = {}): Promise<SampleCosts> {
  const folder = mkdtempSync(join(tmpdir(), 'pml-sample-'));
  try {
    return { direct: await workDirectly(folder), ...(await workThroughPml(folder, options)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The sample servers with files and a memory of their own, so that nothing of `samples` changes. */
function sampleServers(folder: string, memory: string) {
  const files = join(folder, 'files');
  cpSync(join(ROOT, 'samples/files'), files, { recursive: true });
  const node = process.execPath;
  return {
    filesystem: { command: node, args: [join(MODULES, 'server-filesystem/dist/index.js'), files] },
    memory: {
      command: node,
      args: [join(MODULES, 'server-memory/dist/index.js')],
      env: { MEMORY_FILE_PATH: join(folder, memory) },
    },
    everything: {
      command: node,
      args: [join(MODULES, 'server-everything/dist/index.js'), 'stdio'],
    },
  };
}

async function workDirectly(folder: string): Promise<TaskCost> {
  const servers = sampleServers(folder, 'direct.jsonl');
  const clients: Record<string, LineClient> = {};
  const menu: unknown[] = [];
  try {
    for (const [name, { command, args, ...rest }] of Object.entries(servers)) {
      const env = { ...process.env, ...('env' in rest ? rest.env : {}) };
      const client = (clients[name] = new LineClient([command, ...args], env));
      const { instructions } = await client.initialize();
      const { tools } = await client.request('tools/list');
      menu.push(...(tools as Json[]).map(asModelSees), ...(instructions ? [instructions] : []));
    }
    const session = new CountedSession(countAll(menu));
    const call = (server: string, name: string, args: Json) =>
      session.exchange({ name, arguments: args }, (asked) =>
        clients[server]!.request('tools/call', asked),
      );
    // Each call needs what the one before it gave or made, so the agent makes one call a turn.
    const allowed = await call('filesystem', 'list_allowed_directories', {});
    const path = textOf(allowed).split('\n')[1]?.trim() ?? '';
    const read = await call('filesystem', 'read_text_file', { path: join(path, 'expenses.csv') });
    const rows = textOf(read)
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(','));
    const total = rows.reduce((sum, [, , amount]) => sum + Number(amount), 0);
    await call('memory', 'create_entities', {
      entities: [
        ...rows.map(([date, what, amount]) => ({
          name: what,
          entityType: 'expense',
          observations: [`${date}: ${amount}`],
        })),
        {
          name: 'expenses',
          entityType: 'report',
          observations: [`total: ${total.toFixed(2)}`],
        },
      ],
    });
    await call('memory', 'create_relations', {
      relations: rows.map(([, what]) => ({ from: what, to: 'expenses', relationType: 'part of' })),
    });
    return session.cost();
  } finally {
    for (const client of Object.values(clients)) await client[Symbol.asyncDispose]();
  }
}

async function workThroughPml(
  folder: string,
  { embedding = 'gte-small' }: SampleOptions,
): Promise<Pick<SampleCosts, 'pml' | 'again'>> {
  const config = join(folder, 'pml.json');
  const mcpServers = sampleServers(folder, 'pml.jsonl');
  writeFileSync(config, JSON.stringify({ mcpServers, embedding, dashboard: false }));
  const flags = ['--config', config, '--data-dir', join(folder, 'data')];
  try {
    await using client = new LineClient([process.execPath, CLI, 'serve', ...flags]);
    const { instructions } = await client.initialize();
    const { tools } = await client.request('tools/list');
    const menu = countAll([...(tools as Json[]).map(asModelSees), instructions]);
    // As in a session that is under way: the lists are known and the model is loaded.
    execFileSync(process.execPath, [CLI, 'tools', 'refresh', ...flags], { stdio: 'ignore' });
    if (embedding !== 'none') {
      execFileSync(process.execPath, [CLI, 'index', ...flags], { stdio: 'ignore' });
    }
    const send = (asked: Json) => client.request('tools/call', asked);
    const first = new CountedSession(menu);
    // With whole types: the script must know what an entity looks like.
    await first.exchange(discover(SAMPLE_INTENT, { detail: 'schema' }), send);
    await first.exchange(
      { name: 'pml_execute_code', arguments: { intent: SAMPLE_REQUEST, code: SAMPLE_CODE } },
      send,
    );
    const second = new CountedSession(menu);
    const found = await second.exchange(discover(SAMPLE_REQUEST), send);
    const capability = /cap:([\w-]+)/.exec(textOf(found))?.[1];
    if (!capability) throw new Error(`no capability was found: ${textOf(found)}`);
    const args = { name: 'expenses', entityType: 'report' };
    await second.exchange({ name: 'pml_execute_workflow', arguments: { capability, args } }, send);
    return { pml: first.cost(), again: second.cost() };
  } finally {
    execFileSync(process.execPath, [CLI, 'stop', ...flags], { stdio: 'ignore' });
  }
}

function discover(intent: string, rest: Json = {}): Json {
  return { name: 'pml_discover', arguments: { intent, ...rest } };
}

/** Adds up what a model reads: at each turn the menu, the request and everything said so far. */
class CountedSession {
  readonly #menuTokens: number;
  readonly #exchanges: { asked: Json; answered: Json }[] = [];
  #contextTokens: number;
  #readTokens: number;

  constructor(menuTokens: number) {
    this.#menuTokens = menuTokens;
    this.#contextTokens = menuTokens + countTokens(SAMPLE_REQUEST);
    this.#readTokens = this.#contextTokens;
  }

  async exchange(asked: Json, send: (asked: Json) => Promise<Json>): Promise<Json> {
    const answered = await send(asked);
    if (answered['isError'] === true) throw new Error(textOf(answered));
    this.#exchanges.push({ asked, answered });
    this.#contextTokens += countTokens(JSON.stringify(asked)) + countTokens(textOf(answered));
    this.#readTokens += this.#contextTokens;
    return answered;
  }

  cost(): TaskCost {
    return {
      menuTokens: this.#menuTokens,
      roundTrips: this.#exchanges.length,
      readTokens: this.#readTokens,
      exchanges: this.#exchanges,
    };
  }
}

function textOf({ content }: Json): string {
  const blocks = content as readonly { readonly text?: string }[];
  return blocks.map(({ text = '' }) => text).join('\n');
}

/** A tool as clients hand it to a model. */
function asModelSees({ name, description, inputSchema }: Json): Json {
  return { name, description, input_schema: inputSchema };
}

function countAll(parts: readonly unknown[]): number {
  return parts.reduce<number>(
    (sum, one) => sum + countTokens(typeof one === 'string' ? one : JSON.stringify(one)),
    0,
  );
}
