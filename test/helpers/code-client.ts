/** Scripts as an agent sends them, and the answers it gets. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { RunAsk, TaskAnswer } from './counter.js';
import { type Answer, type PmlClient, textOf } from './pml-client.js';

type Json = Record<string, unknown>;

/** The answer about a run that executes a script. */
export interface ScriptAnswer {
  readonly status: string;
  readonly run: string;
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
  readonly logs?: string;
  readonly calls: number;
  readonly asks?: readonly RunAsk[];
  readonly next?: string;
  /** Of a run that is a plan. */
  readonly tasks?: Readonly<Record<string, TaskAnswer>>;
}

/** The outcome of a script. Throws if PML refused it before it began. */
export async function runCode(
  client: PmlClient,
  code: string,
  rest: Json = {},
): Promise<ScriptAnswer> {
  return scriptOf(await client.call('pml_execute_code', { code, ...rest }));
}

/** Decides what a script's run asks, or waits for the run. */
export async function decideScript(
  client: PmlClient,
  run: string,
  decision: string,
  rest: Json = {},
): Promise<ScriptAnswer> {
  return scriptOf(await client.call('pml_continue', { run, decision, ...rest }));
}

export function scriptOf(answer: Answer): ScriptAnswer {
  const told = answer.result?.['structuredContent'] as ScriptAnswer | undefined;
  const meta = answer.result?.['_meta'] as Json | undefined;
  const lone = meta?.['pml/run'];
  // PML answers a run of one task like a direct call.
  if (typeof lone === 'string') {
    return { status: answer.result?.['isError'] ? 'failed' : 'completed', run: lone, calls: 1 };
  }
  if (!told?.run) throw new Error(`no answer about a script: ${textOf(answer)}`);
  return told;
}

/** The message an agent reads when PML refuses code before running it. */
export async function refusalOf(client: PmlClient, code: string, rest: Json = {}): Promise<string> {
  const answer = await client.call('pml_execute_code', { code, ...rest });
  if (!answer.result?.['isError']) throw new Error(`not refused: ${textOf(answer)}`);
  return textOf(answer);
}

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** Entries of `mcpServers`: a ledger, a server with every protocol feature, and files. */
export function scriptServers({ root, ledger }: { root: string; ledger: string }) {
  const node = (...args: readonly string[]) => ({ command: process.execPath, args });
  const files = '../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js';
  return {
    one: { ...node(path('../fixtures/counter-server.mjs')), env: { LEDGER: join(root, ledger) } },
    talk: node(path('../fixtures/talkative-server.mjs'), 'legacy'),
    files: node(path(files), root),
  };
}
