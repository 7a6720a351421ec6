import { type CatalogTool, isJsonObject, parseToolId, type ToolId } from '../../core/index.js';
import { nameWords, tokenize, wordsOf } from '../../words/index.js';
import type { Evidence } from '../evidence.js';
import { likenessAmong } from '../members/tool-likeness.js';
import type { SessionMoment } from './moment.js';

/** The signals of what a session knows of the moment. All are 0 where it knows nothing. */
export const MOMENT_SIGNALS = [
  /** After a failed call: how like the failed tool it is, and whether it belongs to its server. */
  'failedLike',
  'failedServer',
  /** How much of its name the last result, or the last arguments, speak of. */
  'inResult',
  'inArguments',
  /** Whether the last result has a field for one of its required parameters. */
  'takesResult',
  /** How much it has to do with the words of the intent that no called tool has. */
  'unserved',
  /** Whether a search of this session listed it; whether it did so and was not called yet. */
  'offered',
  'offeredUnused',
  /** Whether the latest search listed it. */
  'offeredLast',
] as const;

export type MomentSignals = Readonly<Record<(typeof MOMENT_SIGNALS)[number], number>>;

/** Overlaps are divided by this, and cut off at the most, so that long names do not outweigh the rest. */
const WORDS_SCALE = 4;
const MOST_WORDS = 3;

export interface MomentOptions {
  readonly done: readonly ToolId[];
  readonly moment: SessionMoment;
  readonly evidence: Pick<Evidence, 'intent' | 'toolOf'>;
}

/** What the moment says of each of the tools. */
export function momentSignals(
  tools: Iterable<ToolId>,
  { done, moment, evidence: { intent, toolOf } }: MomentOptions,
): (tool: ToolId) => MomentSignals {
  const last = done.at(-1);
  const isDone = new Set(done);
  const all = [...new Set([...tools, ...done])];
  const overlap = overlapAmong(all, toolOf);
  const isIn = (text: string | undefined) => new Set(text ? tokenize(text) : []);
  const [result, args] = [isIn(moment.result), isIn(moment.args)];
  const fields = fieldsIn(moment.result);
  const open = unservedWords(intent, isDone, toolOf);
  const failed = moment.hasFailed === true ? last : undefined;
  const likeness = failed && likenessAmong(all, toolOf);
  const offered = new Set(moment.offered?.flat());
  const newest = new Set(moment.offered?.at(-1));
  return (id) => {
    const tool = toolOf(id);
    const words = tool && wordsOf(tool);
    const isOffered = offered.has(id);
    return {
      failedLike: failed && likeness ? likeness.between(failed, id) : 0,
      failedServer: failed && parseToolId(failed).server === parseToolId(id).server ? 1 : 0,
      inResult: overlap(words?.name ?? [], result),
      inArguments: overlap(words?.name ?? [], args),
      takesResult: tool && requiredOf(tool).some((param) => fields.has(param)) ? 1 : 0,
      unserved: overlap(words?.all ?? [], open),
      offered: isOffered ? 1 : 0,
      offeredUnused: isOffered && !isDone.has(id) ? 1 : 0,
      offeredLast: newest.has(id) ? 1 : 0,
    };
  };
}

type Overlap = (words: Iterable<string>, text: ReadonlySet<string>) => number;

/** Words that few of the tools have tell most. */
function overlapAmong(tools: readonly ToolId[], toolOf: Evidence['toolOf']): Overlap {
  const counts = new Map<string, number>();
  for (const id of tools) {
    const tool = toolOf(id);
    for (const word of tool ? wordsOf(tool).all : []) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return (words, text) => {
    if (text.size === 0) return 0;
    let sum = 0;
    for (const word of new Set(words)) {
      if (text.has(word)) sum += Math.log(1 + tools.length / (counts.get(word) ?? 1));
    }
    return Math.min(MOST_WORDS, sum / WORDS_SCALE);
  };
}

function unservedWords(
  intent: string,
  done: Iterable<ToolId>,
  toolOf: Evidence['toolOf'],
): ReadonlySet<string> {
  const open = new Set(tokenize(intent));
  for (const id of done) {
    const tool = toolOf(id);
    for (const word of tool ? wordsOf(tool).all : []) open.delete(word);
  }
  return open;
}

/** Names before a colon in JSON, escaped or not: results are cut off and need not parse. */
const FIELD = /"([\p{L}_][\p{L}\p{N}_-]{0,40})\\?"\s*:/gu;

function fieldsIn(result = ''): ReadonlySet<string> {
  return new Set(Array.from(result.matchAll(FIELD), ([, name]) => spelled(name!)));
}

const requiredByTool = new WeakMap<CatalogTool, readonly string[]>();

function requiredOf(tool: CatalogTool): readonly string[] {
  const before = requiredByTool.get(tool);
  if (before) return before;
  const { required } = tool.definition.inputSchema as { readonly required?: unknown };
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  const read = isJsonObject(tool.definition.inputSchema) ? names.map(spelled) : [];
  requiredByTool.set(tool, read);
  return read;
}

function spelled(name: string): string {
  return nameWords(name).join('_');
}
