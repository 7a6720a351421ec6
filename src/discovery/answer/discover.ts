import { estimateTokens } from '../../core/index.js';
import {
  answerLimit,
  describeHit,
  type Detail,
  type ToolMatch,
  type HitStyle,
  type ToolHit,
} from '../../tool-text/index.js';
import {
  type Candidates,
  type DiscoverContext,
  type DiscoverRequest,
  findCandidates,
} from './find-candidates.js';

export interface DiscoverAnswer {
  /** Best first. */
  readonly hits: readonly ToolHit[];
  /** Further tools that fit but are not shown. */
  readonly more?: number;
  /** What the agent should know about this answer. */
  readonly note?: string;
}

/** Number of tools in an answer, if the agent does not say how many. */
export const DEFAULT_HITS = 5;

type Lengths = Omit<HitStyle, 'detail'>;

/** The agent will likely call one of the first hits, and must not have to ask for its input. */
const CALLED_NEXT = 2;
const WHOLE: Lengths = { signatureCharacters: 700, descriptionCharacters: 110 };

/** The size limit of each further hit, above which signatures and descriptions are shortened. */
const TOKENS_PER_HIT = 55;

/** From ample to terse; the first that keeps an answer short is used. */
const STYLES: readonly Lengths[] = [
  { signatureCharacters: 240, descriptionCharacters: 80 },
  { signatureCharacters: 160, descriptionCharacters: 60 },
  { signatureCharacters: 110, descriptionCharacters: 60 },
  { signatureCharacters: 80, descriptionCharacters: 45 },
];

/** Answers which tools fit a need, within the token budget but never empty-handed. */
export function discover(request: DiscoverRequest, context: DiscoverContext): DiscoverAnswer {
  const { limit = DEFAULT_HITS, detail = 'signature', maxTokens } = request;
  const candidates = findCandidates(request, context, limit);
  const hits = describeHits(candidates, detail, context);
  return fit(hits, candidates, maxTokens ?? answerLimit(context.budget));
}

export function answerTokens(answer: DiscoverAnswer): number {
  return estimateTokens(JSON.stringify(answer));
}

function describeHits(
  { hits }: Candidates,
  detail: Detail,
  { seenOutput, riskOf }: DiscoverContext,
): readonly ToolHit[] {
  const marked = hits.map((hit) => ({ ...hit, risk: riskOf?.(hit.tool) }));
  const shown = detail === 'signature' ? marked.map((hit) => withSeen(hit, seenOutput)) : marked;
  const first = shown.slice(0, CALLED_NEXT).map((hit) => describeHit(hit, { ...WHOLE, detail }));
  const rest = shown.slice(CALLED_NEXT);
  let described: readonly ToolHit[] = [];
  for (const style of STYLES) {
    described = rest.map((hit) => describeHit(hit, { ...style, detail }));
    const tokens = estimateTokens(JSON.stringify(described));
    if (detail !== 'signature' || tokens <= TOKENS_PER_HIT * rest.length) break;
  }
  return [...first, ...described];
}

/** For an agent that writes a call, an observed type is as good as a declared one. */
function withSeen(hit: ToolMatch, seenOutput: DiscoverContext['seenOutput']): ToolMatch {
  const { definition } = hit.tool;
  const outputSchema = definition.outputSchema ?? seenOutput?.(hit.tool);
  return outputSchema
    ? { ...hit, tool: { ...hit.tool, definition: { ...definition, outputSchema } } }
    : hit;
}

/** Drops the last hits until the answer fits; the first always stays. */
function fit(hits: readonly ToolHit[], candidates: Candidates, maxTokens: number): DiscoverAnswer {
  for (let kept = hits.length; ; kept--) {
    const more = candidates.total - kept;
    const answer = {
      hits: hits.slice(0, kept),
      ...(more > 0 && { more }),
      ...(candidates.note && { note: candidates.note }),
    };
    if (kept <= 1 || answerTokens(answer) <= maxTokens) return answer;
  }
}
