import { parseToolId, type ToolId } from '../../core/index.js';
import { tokenize } from '../../words/index.js';
import type { Evidence, Likely } from '../evidence.js';
import { likenessAmong } from './tool-likeness.js';

/**
 * What others say against a tool, or for it, that would do the same: of those one is wanted, not all.
 * Rivals are alike by what they say of themselves and are not called together.
 */
export interface Rivalry {
  /** How likely its rivals are, as the logarithm of the odds of any of them. */
  readonly rivals: number;
  /** How alike the nearest rival is that the intent does not name, while it names this one. */
  readonly named: number;
  /** How likely, and how alike, a rival is that the intent names, while it does not name this one. */
  readonly outnamed: number;
  /** Whether it is but a variant of one that is likelier: `read_text_file` of `read_file`. */
  readonly variant: 0 | 1;
}

export interface RivalOptions {
  readonly likely: readonly Likely[];
  /** The share of like runs a tool was in. */
  readonly inSimilar: ReadonlyMap<ToolId, number>;
}

/** Less likely rivals lower nothing. */
const LEAST_LIKELY = 0.02;
const MOST_LIKELY = 0.98;
/** Less alike ones do something else. */
const LEAST_LIKENESS = 0.3;
const VARIANT_LIKENESS = 0.4;
/** Of all calls of the rarer one, the share that makes two no rivals at all when they are with the other. */
const TOGETHER = 1 / 3;
/** Parts of an intent that are further apart ask for different things. */
const SAME_NEED = 0.15;

/** How tools stand against those of them that are likely. */
export function rivalsAmong(
  tools: Iterable<ToolId>,
  { intent, graph, pairs, toolOf }: Evidence,
  { likely, inSimilar }: RivalOptions,
): (tool: ToolId) => Rivalry {
  const chances = new Map(likely.map((one) => [one.tool, one]));
  const likeness = likenessAmong(tools, toolOf);
  const said = new Set(tokenize(intent));
  const others = likely.filter(({ probability }) => probability > LEAST_LIKELY);
  const runsOf = (tool: ToolId) => graph.node(tool)?.runs ?? 0;
  return (tool) => {
    const own = chances.get(tool) ?? { tool, probability: 0 };
    let odds = 0;
    let named = 0;
    let outnamed = 0;
    let isVariant = false;
    for (const other of others) {
      if (other.tool === tool) continue;
      const alike = likeness.between(tool, other.tool);
      isVariant ||= isVariantOf(own, other, alike);
      if (alike < LEAST_LIKENESS) continue;
      const { together } = pairs.pair(tool, other.tool);
      // Likeness alone does not tell: what does nearly the same is as often called for the next step.
      if (runsOf(other.tool) === 0) continue;
      const runs = Math.min(runsOf(tool), runsOf(other.tool));
      const rivalry = alike * Math.max(0, 1 - together / (TOGETHER * (runs + 0.5)));
      const chance = other.probability;
      odds += (rivalry * chance) / (1 - Math.min(MOST_LIKELY, chance));
      const isNamed = namesOnly(tool, other.tool);
      const isOutnamed = namesOnly(other.tool, tool);
      if (isNamed && !isOutnamed) named = Math.max(named, rivalry);
      if (isOutnamed && !isNamed) outnamed = Math.max(outnamed, rivalry * chance);
    }
    return { rivals: Math.log1p(odds), named, outnamed, variant: isVariant ? 1 : 0 };
  };

  /** Whether the intent has a word of the name of the first that the name of the second has not. */
  function namesOnly(first: ToolId, second: ToolId): boolean {
    const without = new Set(likeness.wordsOf(second).name);
    return likeness.wordsOf(first).name.some((word) => said.has(word) && !without.has(word));
  }

  function isVariantOf(one: Likely, other: Likely, alike: number): boolean {
    return (
      isBefore(other, one) &&
      parseToolId(one.tool).server === parseToolId(other.tool).server &&
      isSameNeed(one, other) &&
      isTheSameKind(one.tool, other.tool, alike) &&
      pairs.pair(one.tool, other.tool).together === 0 &&
      !namesOnly(one.tool, other.tool)
    );
  }

  function isTheSameKind(one: ToolId, other: ToolId, alike: number): boolean {
    const [own, base] = [likeness.wordsOf(one).name, likeness.wordsOf(other).name];
    if (isNamedAfter(own, base)) return true;
    return alike >= VARIANT_LIKENESS && doTheSame(own, base);
  }

  /** Likelier, and no less often what like runs called. */
  function isBefore(one: Likely, other: Likely): boolean {
    const seen = (inSimilar.get(one.tool) ?? 0) - (inSimilar.get(other.tool) ?? 0);
    const difference = one.probability - other.probability;
    return seen >= 0 && (difference > 0 || (difference === 0 && one.tool < other.tool));
  }
}

function isSameNeed({ place: one }: Likely, { place: other }: Likely): boolean {
  return one === undefined || other === undefined || Math.abs(one - other) < SAME_NEED;
}

/** Names that begin and end alike: the same is done, to the same. */
function doTheSame(first: readonly string[], second: readonly string[]): boolean {
  const isLong = first.length > 1 && second.length > 1;
  return isLong && first[0] === second[0] && first.at(-1) === second.at(-1);
}

/**
 * `read_text_file` and `read_file_with_lines` have all of the name of `read_file`, in order: however
 * they describe themselves, they do what it does, in some way of their own.
 */
function isNamedAfter(own: readonly string[], base: readonly string[]): boolean {
  if (base.length < 2 || own.length <= base.length || own[0] !== base[0]) return false;
  const isPrefix = base.every((word, place) => own[place] === word);
  const all = new Set(own);
  return isPrefix || (own.at(-1) === base.at(-1) && base.every((word) => all.has(word)));
}
