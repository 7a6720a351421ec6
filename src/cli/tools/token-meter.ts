import type { DaemonTools, ListedTool } from '../../control/index.js';
import { count } from '../print/print.js';
import { asModelSees } from './count-tokens.js';
import { countTokens } from './stored-counts.js';

export interface TokenMeter {
  readonly servers: readonly { server: string; tools: number; tokens: number }[];
  readonly tools: number;
  readonly downstreamTokens: number;
  readonly exposedTokens: number;
  readonly savedTokens: number;
  readonly budget: {
    totalTokens: number;
    budgetTokens: number;
    usedTokens: number;
    availableTokens: number;
  };
}

export async function measureTokens(shown: DaemonTools, dataDir: string): Promise<TokenMeter> {
  const active = shown.tools.filter((tool) => tool.status === 'active');
  const counts = await countTokens(dataDir, [
    ...active.map(({ hash, definition }) => ({ hash, value: () => asModelSees(definition) })),
    { hash: `tools ${shown.exposedHash}`, value: () => shown.exposed.map(asModelSees) },
    { hash: `instructions ${shown.exposedHash}`, value: () => shown.instructions },
  ]);
  const tokensOf = (hash: string) => counts.get(hash) ?? 0;
  const servers = [...groupByServer(active)].map(([server, own]) => ({
    server,
    tools: own.length,
    tokens: own.reduce((sum, { hash }) => sum + tokensOf(hash), 0),
  }));
  const exposedTokens =
    tokensOf(`tools ${shown.exposedHash}`) + tokensOf(`instructions ${shown.exposedHash}`);
  const downstreamTokens = servers.reduce((sum, one) => sum + one.tokens, 0);
  const { context } = shown;
  const budgetTokens = Math.floor(context.windowTokens * context.share);
  return {
    servers: servers.toSorted((a, b) => b.tokens - a.tokens),
    tools: active.length,
    downstreamTokens,
    exposedTokens,
    savedTokens: downstreamTokens - exposedTokens,
    budget: {
      totalTokens: context.windowTokens,
      budgetTokens,
      usedTokens: exposedTokens,
      availableTokens: Math.max(0, budgetTokens - exposedTokens),
    },
  };
}

export function describeMeter(meter: TokenMeter): string {
  const { tools, downstreamTokens, exposedTokens, savedTokens, budget } = meter;
  const share = downstreamTokens > 0 ? Math.round((1000 * savedTokens) / downstreamTokens) / 10 : 0;
  const saving =
    savedTokens > 0
      ? `saved: ${count(savedTokens)} (${share} %)`
      : 'nothing saved ("exposure": "meta" would)';
  return [
    `${count(tools)} tools cost ${count(downstreamTokens)} tokens; exposed: ${count(exposedTokens)}, ${saving}`,
    `budget: ${count(budget.budgetTokens)} of ${count(budget.totalTokens)} tokens, ${count(budget.availableTokens)} available`,
  ].join('\n');
}

function groupByServer(tools: readonly ListedTool[]): Map<string, ListedTool[]> {
  const groups = new Map<string, ListedTool[]>();
  for (const tool of tools) groups.set(tool.server, [...(groups.get(tool.server) ?? []), tool]);
  return groups;
}
