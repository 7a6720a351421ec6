import { Command } from 'commander';

import type { ImportAnswer, ImportMode, SearchStatus } from '../../control/index.js';
import { PmlError } from '../../core/errors.js';
import { visible } from '../../core/visible-text.js';
import { askStarted, type DaemonFlags } from '../daemon/ask.js';
import { count, print, printJson } from '../print/print.js';
import { type LineProblem, parseRows, partsOf, readLines, type Row } from '../print/read-rows.js';
import { describeRanking } from '../tools/describe-search.js';
import { waitForIndex } from '../tools/index-tools.js';

interface ImportFlags extends DaemonFlags {
  readonly dryRun?: boolean;
}

/** A part is one message to the daemon, and one step of the store. */
const PART_CHARACTERS = 2_000_000;
const SHOWN_PROBLEMS = 10;
const SHOWN_TOOLS = 10;

export function importCommand(): Command {
  return new Command('import')
    .argument('<file>', 'JSON lines; - reads stdin')
    .option('--dry-run', 'check everything, change nothing')
    .option('--config <path>', 'configuration file')
    .option('--data-dir <path>', 'data directory')
    .option('--json', 'print JSON')
    .action(async (file: string, flags: ImportFlags) => {
      const { rows, problems } = parseRows(await readLines(file));
      if (problems.length > 0) throw unreadable(file, problems);
      const checked = await send(rows, 'check', flags);
      if (checked.problems.length > 0) throw unreadable(file, checked.problems);
      if (flags.dryRun === true) return show(await send(rows, 'dry-run', flags), flags);
      const imported = await send(rows, 'import', flags);
      const search = await learn(imported, flags);
      show(imported, flags, search);
    });
}

interface Imported extends Omit<ImportAnswer, 'problems'> {
  readonly problems: readonly LineProblem[];
}

const NOTHING: Imported = {
  problems: [],
  added: 0,
  known: 0,
  skipped: 0,
  keptTools: [],
  unknownTools: [],
  isStored: true,
};

/** All parts, one after the other, added up. */
async function send(rows: readonly Row[], mode: ImportMode, flags: ImportFlags): Promise<Imported> {
  let total = NOTHING;
  for (const part of partsOf(rows, PART_CHARACTERS)) {
    const values = part.map(({ value }) => value);
    const { answer } = await askStarted(flags, 'import', { rows: values, mode });
    total = addUp(total, answer, part);
  }
  return total;
}

function addUp(total: Imported, one: ImportAnswer, part: readonly Row[]): Imported {
  const problems = one.problems.map(({ row, problem }) => ({ line: part[row]!.line, problem }));
  return {
    problems: [...total.problems, ...problems],
    added: total.added + one.added,
    known: total.known + one.known,
    skipped: total.skipped + one.skipped,
    keptTools: [...new Set([...total.keptTools, ...one.keptTools])],
    unknownTools: [...new Set([...total.unknownTools, ...one.unknownTools])],
    isStored: one.isStored,
  };
}

/** Nothing new teaches nothing; then the ranking is only shown. */
async function learn({ added }: Imported, flags: ImportFlags): Promise<SearchStatus> {
  const before = await waitForIndex(flags);
  if (added === 0) return before;
  return (await askStarted(flags, 'learn', {})).answer;
}

function show(imported: Imported, flags: ImportFlags, search?: SearchStatus): void {
  const { problems: _none, ...counts } = imported;
  if (flags.json) return printJson({ dryRun: search === undefined, ...counts, search });
  for (const line of describeImport(imported, search)) print(line);
}

/** Without a state of the search nothing was imported. */
function describeImport(
  { added, known, skipped, keptTools, unknownTools, isStored }: Omit<Imported, 'problems'>,
  search?: SearchStatus,
): readonly string[] {
  const did = search ? 'new' : 'would be new';
  return [
    `${count(added)} executions ${did}, ${count(known)} known already, ${count(skipped)} skipped (no call of a tool that could be named).`,
    ...someTools('Kept, though no server has them now', keptTools),
    ...someTools('Left out, no such tool', unknownTools),
    ...(isStored ? [] : ['The store is not available: this is remembered until the daemon ends.']),
    ...(search
      ? [
          `${count(search.remembered)} past requests are remembered.`,
          `Ranking: ${describeRanking(search.ranking)}.`,
        ]
      : ['Nothing was changed.']),
  ];
}

function someTools(what: string, tools: readonly string[]): readonly string[] {
  if (tools.length === 0) return [];
  const shown = tools.slice(0, SHOWN_TOOLS).map(visible).join(', ');
  const more = tools.length - SHOWN_TOOLS;
  return [`${what} (${count(tools.length)}): ${shown}${more > 0 ? ` and ${more} more` : ''}.`];
}

function unreadable(file: string, problems: readonly LineProblem[]): PmlError {
  const lines = problems
    .slice(0, SHOWN_PROBLEMS)
    .map(({ line, problem }) => `${file}:${line}: ${problem}`);
  const more = problems.length - lines.length;
  const summary = `Nothing was imported: ${count(problems.length)} ${problems.length === 1 ? 'line is' : 'lines are'} wrong${more > 0 ? ` (${count(more)} more than shown)` : ''}`;
  return new PmlError('BAD_REQUEST', [...lines, summary].join('\n'));
}
