/**
 * An agent over servers that read and write: github, json, travel, mail and calendar are small and tell
 * the same every time; filesystem and memory are the published ones. Every call a server gets is kept.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { vi } from 'vitest';

import { connectSdk, resultText } from './sdk-client.js';
import { Workspace } from './workspace.js';

type Json = Record<string, unknown>;

/** A call as a server got it. */
export interface ServerCall {
  readonly tool: string;
  readonly args: Json;
}

/** A call that a run asks about, with the values it would have. */
export interface AskedCall extends ServerCall {
  readonly task: string;
  readonly why: string;
  readonly by?: string;
}

export interface GuessRun {
  readonly status: string;
  readonly run: string;
  readonly asks?: readonly AskedCall[];
  /** One line for each value that PML filled in. */
  readonly filled?: readonly string[];
  readonly tasks?: Readonly<Record<string, { readonly status: string; readonly result?: unknown }>>;
  readonly found?: readonly { readonly task: string; readonly tool: string; readonly args: Json }[];
}

export interface GuessPlan {
  /** Of the tools alone. */
  readonly confidence: number;
  /** Of the tools and all values that PML filled in. */
  readonly with_values?: number;
  readonly tasks: readonly { readonly id: string; readonly tool: string; readonly args: Json }[];
  /** One line for each value that PML filled in. */
  readonly filled?: readonly string[];
  readonly holes?: readonly { readonly task: string; readonly param: string }[];
}

/** Tools of these servers that change something. */
const WRITERS = new Set([
  'github:create',
  'github:create_issue',
  'github:add_comment',
  'travel:book_hotel',
  'mail:send_mail',
  'mail:save_draft',
  'calendar:add_event',
  'filesystem:write_file',
  'filesystem:edit_file',
  'filesystem:create_directory',
  'filesystem:move_file',
  'memory:create_entities',
  'memory:create_relations',
  'memory:add_observations',
  'memory:delete_entities',
  'memory:delete_observations',
  'memory:delete_relations',
]);

export const isWriting = ({ tool }: { readonly tool: string }): boolean => WRITERS.has(tool);

/** On a busy machine. */
const PATIENCE = { timeout: 90_000, interval: 100 };

const SMALL = ['github', 'json', 'travel', 'mail', 'calendar'] as const;
const PUBLISHED = ['filesystem', 'memory'] as const;
type ServerName = (typeof SMALL)[number] | (typeof PUBLISHED)[number];

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

interface AgentOptions {
  readonly servers?: readonly ServerName[];
  /** Texts that the folder of the filesystem server holds, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** Of the configuration. */
  readonly config?: Json;
}

/** An agent that is connected to PML, and what its servers got. */
export class GuessAgent implements AsyncDisposable {
  readonly workspace: Workspace;
  readonly folder: string;
  readonly #client: Awaited<ReturnType<typeof connectSdk>>;

  private constructor(workspace: Workspace, client: Awaited<ReturnType<typeof connectSdk>>) {
    this.workspace = workspace;
    this.folder = folderOf(workspace);
    this.#client = client;
  }

  /** The user allows every tool: only a guess can be a reason to ask. */
  static async connect({
    servers = [...SMALL, ...PUBLISHED],
    files = {},
    config = {},
  }: AgentOptions = {}): Promise<GuessAgent> {
    const workspace = await Workspace.create('{}');
    const folder = folderOf(workspace);
    mkdirSync(folder);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    workspace.configure({
      permissions: { allow: ['*'] },
      ...config,
      mcpServers: Object.fromEntries(servers.map((name) => [name, serverOf(name, workspace)])),
    });
    return new GuessAgent(workspace, await connectSdk(workspace));
  }

  file(name: string): string {
    return join(this.folder, name);
  }

  /** Every call that reached a server so far. */
  get calls(): readonly ServerCall[] {
    const file = callsOf(this.workspace);
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
    return lines.map((line) => JSON.parse(line) as ServerCall);
  }

  get writes(): readonly ServerCall[] {
    return this.calls.filter(isWriting);
  }

  async call(tool: string, args: Json): Promise<{ readonly text: string; readonly value: Json }> {
    const answer = await this.#client.callTool({ name: tool, arguments: args });
    const value = (answer.structuredContent ?? {}) as Json;
    return { text: resultText(answer), value };
  }

  async run(args: Json): Promise<GuessRun> {
    return runOf(await this.call('pml_execute_workflow', args));
  }

  async decide(run: string, decision: string, rest: Json = {}): Promise<GuessRun> {
    return runOf(await this.call('pml_continue', { run, decision, ...rest }));
  }

  /** The plan for an intent, or for tasks that only lack values; in full where PML is not sure of it. */
  async plan(args: Json): Promise<GuessPlan> {
    const { text, value } = await this.call('pml_execute_workflow', args);
    if (value['status'] !== 'suggested') throw new Error(`no plan: ${text}`);
    if (!('tasks' in value)) return this.plan({ ...args, detail: 'full' });
    return value as unknown as GuessPlan;
  }

  /** Runs code that works, and gives the capability PML made of it. */
  async learn(intent: string, code: string): Promise<string> {
    const known = new Set(await this.capabilities());
    const { text, value } = await this.call('pml_execute_code', { intent, code });
    if (value['status'] !== 'completed') throw new Error(`the code did not work: ${text}`);
    // Not `expect.poll`: hooks learn too.
    return vi.waitFor(async () => {
      const fresh = (await this.capabilities()).find((name) => !known.has(name));
      if (fresh === undefined) throw new Error(`nothing was learned from: ${intent}`);
      return `cap:${fresh}`;
    }, PATIENCE);
  }

  async capabilities(): Promise<readonly string[]> {
    const { stdout } = await this.workspace.run('capabilities', 'list', '--json');
    const { capabilities } = JSON.parse(stdout) as { capabilities: readonly { name: string }[] };
    return capabilities.map(({ name }) => name);
  }

  /** PML remembers runs behind its answers. */
  async remembered(count: number): Promise<void> {
    await this.#settled('remembered', count);
  }

  async modelLoaded(): Promise<void> {
    await this.#settled('state', 'ready');
  }

  /** Waits until PML has learned what it learns from the runs so far. */
  async learned(): Promise<void> {
    await vi.waitFor(async () => {
      if ((await this.workspace.status()).isLearning) throw new Error('PML still learns');
    }, PATIENCE);
  }

  /** Waits until the search has this, and has read everything with its model. */
  async #settled(field: string, value: unknown): Promise<void> {
    await vi.waitFor(async () => {
      const search = { ...(await this.workspace.status()).search } as Json;
      if (search[field] === value && search['waiting'] === 0) return;
      throw new Error(
        `${field} is ${String(search[field])}, waiting: ${String(search['waiting'])}`,
      );
    }, PATIENCE);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.close();
    await this.workspace[Symbol.asyncDispose]();
  }
}

const folderOf = (workspace: Workspace) => join(workspace.path, 'data');
const callsOf = (workspace: Workspace) => join(workspace.path, 'calls');

function serverOf(name: ServerName, workspace: Workspace): Json {
  const env = {
    CALLS: callsOf(workspace),
    MEMORY_FILE_PATH: join(folderOf(workspace), 'memory.jsonl'),
  };
  const own = path(`../fixtures/servers/${name}-server.mjs`);
  if (SMALL.some((one) => one === name)) return { command: process.execPath, args: [own], env };
  const published = path(`../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);
  const recorder = path('../fixtures/servers/recorded-server.mjs');
  const args = [recorder, name, published, folderOf(workspace)];
  return { command: process.execPath, args, env };
}

/** A run of one task is answered as its call would be, with the run beside it. */
function runOf({ text, value }: { readonly text: string; readonly value: Json }): GuessRun {
  const isRun = typeof value['run'] === 'string' && typeof value['status'] === 'string';
  if (!isRun) return { status: text.startsWith('[') ? text : 'completed', run: '' };
  return value as unknown as GuessRun;
}
