import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Answer } from './pml-client.js';
import type { SocketClient } from './socket-client.js';
import { fixtureServer, Workspace } from './workspace.js';

export interface LedgerLine {
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly nonce?: string;
  readonly wrote: boolean;
}

/** A workspace with the server that writes down every call, and speculation as given. */
export async function aheadWorkspace(
  speculation: unknown,
  rest: Record<string, unknown> = {},
): Promise<Workspace> {
  const workspace = await Workspace.create('{}');
  workspace.configure({
    speculation,
    mcpServers: {
      data: fixtureServer('ahead-server.mjs', { LEDGER: ledgerPath(workspace) }),
    },
    ...rest,
  });
  return workspace;
}

const ledgerPath = ({ path }: Workspace) => join(path, 'ledger');

/** Every call that the server got, in order. */
export function ledgerOf(workspace: Workspace): readonly LedgerLine[] {
  const path = ledgerPath(workspace);
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as LedgerLine);
}

/** Calls the tools in turn until PML is sure what comes after each. */
export async function teach(
  client: Pick<SocketClient, 'call'>,
  calls: readonly (readonly [tool: string, args?: object])[],
  times = 60,
): Promise<void> {
  for (let time = 0; time < times; time++) {
    for (const [tool, args] of calls) await client.call(`data__${tool}`, args);
  }
}

/** How old the result was that PML served, if it had made the call ahead. */
export function servedAge({ result }: Answer): number | undefined {
  const meta = result?.['_meta'] as Record<string, { age_ms: number } | undefined> | undefined;
  return meta?.['pml/speculated']?.age_ms;
}

/** How many writes the server had seen when it answered. */
export function versionOf({ result }: Answer): number | undefined {
  const value = result?.['structuredContent'] as { version?: number } | undefined;
  return value?.version;
}
