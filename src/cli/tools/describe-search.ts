import type { RankingStatus, SearchStatus } from '../../control/index.js';
import { visible } from '../../core/visible-text.js';
import { count } from '../print/print.js';

/** The model, how it runs and its progress, in one line. */
export function describeModel(search: SearchStatus): string {
  const { model, space = model, state, runtime, error } = search;
  if (state === 'none') return 'none: search by words only';
  const how = runtime === undefined ? STATES[state] : `${STATES[state]}, ${runtime} runtime`;
  return `${visible(space)}, ${error === undefined || state === 'failed' ? how : 'incomplete'}`;
}

const STATES: Readonly<Record<SearchStatus['state'], string>> = {
  none: 'none',
  idle: 'not loaded (with the first question)',
  loading: 'loading',
  ready: 'ready',
  failed: 'failed: search by words only',
};

export function describeIndex({ indexed, tools, waiting }: SearchStatus): string {
  const toDo = waiting > 0 ? `, ${count(waiting)} texts to do` : '';
  return `${count(indexed)} of ${count(tools)} tools${toDo}`;
}

interface HeldOut {
  readonly first: number;
  readonly reciprocal: number;
  readonly recall: number;
}

interface Metric {
  readonly examples?: number;
  readonly heldOut?: Readonly<Record<string, HeldOut | undefined>>;
}

const KINDS: Readonly<Record<string, string>> = {
  cold: 'words and meaning',
  memory: 'words, meaning and memory',
  session: 'words, meaning, memory and what was just called',
  learned: 'learned weights',
  vectors: 'learned weights and tool vectors',
};

/** The ranking in use, and how it did on held-out requests. */
export function describeRanking({ kind, metric }: RankingStatus): string {
  const name = `${kind} (${KINDS[kind] ?? kind})`;
  const { examples, heldOut } = metric as Metric;
  const [own, cold] = [heldOut?.[kind], heldOut?.['cold']];
  if (!own || !cold) return `${name}; nothing measured yet`;
  const measured = `${describeQuality(own)} on ${count(examples ?? 0)} past requests, each held out`;
  if (kind !== 'cold')
    return `${name}: ${measured}; words and meaning alone ${describeQuality(cold)}`;
  return `${name}: ${measured}; memory would not have done better`;
}

function describeQuality({ first, reciprocal, recall }: HeldOut): string {
  return `Hit@1 ${first.toFixed(2)}, MRR ${reciprocal.toFixed(2)}, Recall@10 ${recall.toFixed(2)}`;
}

/** Shown where the user would otherwise believe that PML compared meaning. */
export function whyWordsOnly({ state, error }: SearchStatus): string {
  if (error !== undefined) return `by words only: ${visible(error)}`;
  if (state === 'none') return 'by words only: "embedding" is "none"';
  if (state === 'ready') return 'by words only: the model did not answer in time';
  return 'by words only: the model is still loading';
}

/** For progress: what the command waits for. */
export function describeWait(search: SearchStatus): string {
  const { model, state, runtime, made, waiting } = search;
  if (state !== 'ready') return `Loading ${visible(model)} …`;
  const speed = made.texts > 0 ? `, ${(made.ms / made.texts).toFixed(1)} ms a text` : '';
  return `Indexing with ${visible(model)} (${runtime ?? ''}): ${describeIndex(search)}${waiting > 0 ? speed : ''}`;
}
