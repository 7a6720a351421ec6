import { Command } from 'commander';

import type { SearchStatus } from '../../control/index.js';
import { messageOf, PmlError } from '../../core/errors.js';
import { askStarted, type DaemonFlags } from '../daemon/ask.js';
import { nowMs, pause } from '../print/clock.js';
import { count, print, printJson } from '../print/print.js';
import { createProgress } from '../print/progress.js';
import { describeIndex, describeModel, describeWait } from './describe-search.js';

interface IndexFlags extends DaemonFlags {
  readonly rebuild?: boolean;
}

const ASK_AGAIN_MS = 100;
/** A loaded model that embeds nothing for this long has stalled. */
const STALLED_MS = 60_000;
const STALLED = `Nothing was embedded for ${STALLED_MS / 1000} s; pml restart restarts the model`;

export function indexCommand(): Command {
  return new Command('index')
    .option('--rebuild', 'delete the vectors of the model and compute them again')
    .option('--config <path>', 'configuration file')
    .option('--data-dir <path>', 'data directory')
    .option('--json', 'print JSON')
    .action(async (flags: IndexFlags) => {
      const began = nowMs();
      const search = await startIndexing(flags);
      const done = search.error === undefined ? await waitForIndex(flags) : search;
      const ms = Math.round(nowMs() - began);
      if (flags.json) printJson({ ok: isComplete(done), ms, ...done });
      else if (isComplete(done)) print(describeDone(done, ms));
      else process.stderr.write(`${describeFailure(done)}\n`);
      process.exitCode = isComplete(done) ? 0 : 1;
    });
}

/** A model that cannot be opened is a normal outcome of this command, not an error. */
async function startIndexing(flags: IndexFlags): Promise<SearchStatus> {
  try {
    const params = { start: true, rebuild: flags.rebuild === true };
    return (await askStarted(flags, 'index', params)).answer;
  } catch (error) {
    if (!(error instanceof PmlError) || error.code !== 'EMBEDDING_FAILED') throw error;
    const { answer } = await askStarted(flags, 'index', {});
    return { error: messageOf(error), ...answer };
  }
}

/** Resolves when nothing is left to embed, or the model stopped. */
export async function waitForIndex(flags: DaemonFlags): Promise<SearchStatus> {
  const progress = createProgress(process.stderr, 0);
  let last = { waiting: -1, at: nowMs() };
  for (;;) {
    const { answer: search } = await askStarted(flags, 'index', {});
    const isMoving = search.state !== 'ready' || search.waiting !== last.waiting;
    if (isMoving) last = { waiting: search.waiting, at: nowMs() };
    const isStalled = nowMs() - last.at > STALLED_MS;
    if (isOver(search) || isStalled) {
      progress.end();
      return isStalled ? { ...search, error: STALLED } : search;
    }
    progress.show(describeWait(search));
    await pause(ASK_AGAIN_MS);
  }
}

function isOver({ state, error, waiting, tools }: SearchStatus): boolean {
  if (state === 'none' || state === 'failed' || error !== undefined) return true;
  return waiting === 0 && (state === 'ready' || (tools === 0 && state === 'idle'));
}

function isComplete({ state, error, indexed, tools }: SearchStatus): boolean {
  return state === 'none' || (error === undefined && indexed >= tools);
}

function describeDone(search: SearchStatus, ms: number): string {
  if (search.state === 'none') return 'No model ("embedding": "none"): search by words only.';
  const { made } = search;
  const speed = made.texts > 0 ? `, ${(made.ms / made.texts).toFixed(1)} ms a text` : '';
  const seconds = (ms / 1000).toFixed(1);
  return [
    `Indexed: ${describeIndex(search)}, ${count(search.remembered)} past requests.`,
    `${describeModel(search)}; ${count(made.texts)} texts embedded since the start${speed}; ${seconds} s.`,
  ].join('\n');
}

function describeFailure({ error, fix, ...search }: SearchStatus): string {
  const reason = error ?? `only ${describeIndex(search)} could be indexed`;
  return `pml: ${reason}${fix === undefined ? '' : `\n${fix}`}`;
}
