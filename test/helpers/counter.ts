import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Answer, PmlClient } from './pml-client.js';
import { Workspace, type WorkspaceOptions } from './workspace.js';

const SERVER = fileURLToPath(new URL('../fixtures/counter-server.mjs', import.meta.url));

type Json = Record<string, unknown>;

/** The answer of `pml_execute_workflow` and `pml_continue` about a run. */
export interface RunAnswer {
  readonly status: string;
  readonly run: string;
  readonly asks?: readonly RunAsk[];
  readonly error?: { readonly code: string; readonly message: string };
  readonly next?: string;
  readonly tasks: Readonly<Record<string, TaskAnswer>>;
}

export interface RunAsk {
  readonly task: string;
  readonly tool: string;
  readonly args: Json;
  readonly why: string;
  readonly decisions: readonly string[];
}

export interface TaskAnswer {
  readonly status: string;
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
  readonly because?: string;
  readonly attempts?: number;
}

export interface Counter extends AsyncDisposable {
  readonly workspace: Workspace;
  /** Every key that was written, in order. */
  readonly written: () => readonly string[];
  readonly timesOf: (key: string) => number;
  /** Kills the daemon at the moment in which a server has written this key. */
  readonly strikeAt: (key: string) => void;
}

/**
 * A workspace with two servers, `one` and `two`, that write to the same ledger. Nothing in it takes
 * time that has nothing to do with runs. `limits` and the like come from `config`.
 */
export async function createCounter(
  config: Json = {},
  options: WorkspaceOptions = {},
): Promise<Counter> {
  const workspace = await Workspace.create('{}', options);
  const ledger = join(workspace.path, 'ledger');
  const server = { command: process.execPath, args: [SERVER], env: { LEDGER: ledger } };
  const mcpServers = { one: server, two: server };
  workspace.configure({ embedding: 'none', ...config, mcpServers });
  const written = () =>
    existsSync(ledger) ? readFileSync(ledger, 'utf8').split('\n').filter(Boolean) : [];
  return {
    workspace,
    written,
    timesOf: (key) => written().filter((one) => one === key).length,
    strikeAt: (key) => writeFileSync(`${ledger}.strike`, key),
    [Symbol.asyncDispose]: () => workspace[Symbol.asyncDispose](),
  };
}

export function execute(client: PmlClient, tasks: unknown, rest: Json = {}): Promise<Answer> {
  return client.call('pml_execute_workflow', { tasks, ...rest });
}

export function goOn(
  client: PmlClient,
  run: string,
  decision: string,
  rest: Json = {},
): Promise<Answer> {
  return client.call('pml_continue', { run, decision, ...rest });
}

/** The run that an answer names. Throws if it names none. */
export function runOf(answer: Answer): RunAnswer {
  const text = firstText(answer);
  try {
    return JSON.parse(text) as RunAnswer;
  } catch {
    throw new Error(`no answer about a run: ${text}`);
  }
}

export function firstText({ result, error }: Answer): string {
  const [block] = (result?.['content'] ?? []) as { text?: string }[];
  return error ? `${error.code} ${error.message}` : (block?.text ?? '');
}
