import { Command, InvalidArgumentError } from 'commander';
import pc from 'picocolors';

import type { FoundTool, SearchAnswer } from '../../control/index.js';
import { visible } from '../../core/visible-text.js';
import { askStarted, type DaemonFlags } from '../daemon/ask.js';
import { nowMs, pause } from '../print/clock.js';
import { screenColumns } from '../print/columns.js';
import { page } from '../print/page.js';
import { printJson } from '../print/print.js';
import { createProgress } from '../print/progress.js';
import { describeReasons } from '../print/signal-words.js';
import { table } from '../print/table.js';
import { describeIndex, describeRanking, describeWait, whyWordsOnly } from './describe-search.js';

interface SearchFlags extends DaemonFlags {
  readonly limit: number;
  readonly server?: string;
  readonly all?: boolean;
  readonly why?: boolean;
  readonly verbose?: boolean;
}

/** How long a search waits for the model and the index before it does without. */
const PATIENCE_MS = 20_000;
const ASK_AGAIN_MS = 100;
const SHOWN_SIGNALS = 5;
const MOST_HITS = 50;
const SHOWN_WHEN_WEAK = 3;

export function searchCommand(): Command {
  return new Command('search')
    .argument('<intent>', 'what is wanted, in words', parseIntent)
    .option('-n, --limit <count>', 'how many', parseLimit, 10)
    .option('--server <glob>', 'only servers whose name fits')
    .option('--all', 'also those that an agent does not get, because they fit too poorly')
    .option('--why', 'say what speaks for each')
    .option('--verbose', 'with --why: the weights behind it, and which ranking weighed')
    .option('--config <path>', 'configuration file')
    .option('--data-dir <path>', 'data directory')
    .option('--json', 'print JSON')
    .action(async (intent: string, flags: SearchFlags) => {
      const answer = await searchPatiently(intent, flags);
      if (flags.json) return printJson(answer);
      const { all = false, why = false, verbose = false } = flags;
      const columns = screenColumns();
      await page(describeAnswer(answer, { all, why: why || verbose, verbose, columns }));
    });
}

/** An agent is answered at once; here there is time to wait for the model. */
async function searchPatiently(intent: string, flags: SearchFlags): Promise<SearchAnswer> {
  const { limit, server } = flags;
  const params = { intent, limit, ...(server !== undefined && { server }) };
  const progress = createProgress(process.stderr);
  const deadline = nowMs() + PATIENCE_MS;
  for (;;) {
    const patient = nowMs() < deadline;
    const { answer } = await askStarted(flags, 'search', { ...params, patient });
    if (!('waitFor' in answer)) {
      progress.end();
      return answer;
    }
    progress.show(describeWait(answer.waitFor));
    await pause(ASK_AGAIN_MS);
  }
}

interface SearchView {
  readonly all: boolean;
  readonly why: boolean;
  readonly verbose: boolean;
  readonly columns: number;
}

export function describeAnswer(
  { hits: found, byMeaning, isWeak, search, unlisted }: SearchAnswer,
  { all, why, verbose, columns }: SearchView,
): readonly string[] {
  const hits = all ? found : shownOf(found);
  const leftOut = found.length - hits.length;
  const cells = hits.map((hit) =>
    [hit.score.toFixed(2), hit.tool, hit.server, hit.description].map(visible),
  );
  const rows = hits.length === 0 ? [] : table(cells, columns).split('\n');
  const lines = hits.flatMap((hit, place) => [
    rows[place]!,
    ...(why ? [pc.dim(`      ${describeWhy(hit)}`)] : []),
    ...(verbose ? [pc.dim(`      ${describeWeights(hit)}`)] : []),
  ]);
  const notes = [
    ...(hits.length === 0 ? ['Nothing found.'] : []),
    ...(hits.length > 0 && isWeak ? ['Nothing matches well; these are the closest.'] : []),
    ...(leftOut > 0 ? [pc.dim(`${leftOut} more fit too poorly: --all shows them.`)] : []),
    ...(byMeaning ? [] : [pc.yellow(`Searched ${whyWordsOnly(search)}.`)]),
    ...(byMeaning && search.indexed < search.tools
      ? [pc.yellow(`Not all can be found by meaning yet: ${describeIndex(search)}.`)]
      : []),
    ...(unlisted.length > 0
      ? [pc.yellow(`Not listed yet (starting or failing): ${unlisted.map(visible).join(', ')}.`)]
      : []),
    ...(verbose ? [`Ranking: ${describeRanking(search.ranking)}.`] : []),
  ];
  return [...lines, ...(lines.length > 0 && notes.length > 0 ? [''] : []), ...notes];
}

/** What an agent gets, and the closest hits where that is nothing. */
function shownOf(hits: readonly FoundTool[]): readonly FoundTool[] {
  const useful = hits.filter(({ isLeftOut }) => isLeftOut !== true);
  return useful.length > 0 ? useful : hits.slice(0, SHOWN_WHEN_WEAK);
}

/** In words: what of the request it has, and what else speaks for it or against it. */
function describeWhy({ words, signals }: FoundTool): string {
  const matched = words.map(({ word, field }) => `"${visible(word)}" in its ${field}`);
  const others = signals.filter(({ signal }) => matched.length === 0 || !WORD_SIGNALS.has(signal));
  const reasons = [...matched, ...describeReasons(others, SHOWN_SIGNALS)];
  return reasons.length > 0 ? `because ${reasons.join(', ')}` : 'little speaks for it';
}

/** What the words that are shown say already. */
const WORD_SIGNALS: ReadonlySet<string> = new Set(['words', 'coverage', 'needWords']);

function describeWeights({ signals }: FoundTool): string {
  const strongest = signals
    .slice(0, SHOWN_SIGNALS)
    .map(({ signal, share, weight, value }) => {
      return `${signal} ${signed(share)} (${weight.toFixed(2)} × ${value.toFixed(2)})`;
    })
    .join(', ');
  return `weights: ${strongest || 'none'}`;
}

const signed = (value: number): string => (value < 0 ? '' : '+') + value.toFixed(2);

function parseIntent(text: string): string {
  if (text.trim()) return text;
  throw new InvalidArgumentError('Say in a few words what is wanted.');
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MOST_HITS) return limit;
  throw new InvalidArgumentError(`Give a number from 1 to ${MOST_HITS}.`);
}
