import type { ServerName, ToolId } from '../core/index.js';

/** A tool that a client may call soon. */
export interface LikelyTool {
  readonly tool: ToolId;
  /** From 0 to 1: how likely. */
  readonly score: number;
}

/**
 * A start costs a process and no harm, so a tool need not be more likely right than wrong. Below this
 * the tools of a vague question are little more than its nearest words.
 */
const WORTH_A_START = 0.25;
/** Beside a tool that stands out, those that score less than this share of it are not meant. */
const SHARE_OF_BEST = 0.5;

/** The servers of the tools that are likely enough, each once, likeliest first. */
export function likelyServers(
  tools: readonly LikelyTool[],
  serversOf: (tool: ToolId) => readonly ServerName[],
): readonly ServerName[] {
  const best = Math.max(0, ...tools.map(({ score }) => score));
  const least = Math.max(WORTH_A_START, best * SHARE_OF_BEST);
  const likely = tools
    .filter(({ score }) => score >= least)
    .toSorted((one, other) => other.score - one.score);
  return [...new Set(likely.flatMap(({ tool }) => serversOf(tool)))];
}
