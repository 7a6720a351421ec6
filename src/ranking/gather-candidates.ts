import type { FeatureValues } from '../attention/index.js';
import type { CatalogTool, ToolId } from '../core/index.js';
import type { LexicalScores, ToolFilter, ToolIndex, VectorIndex } from '../search/index.js';
import { onlyAsks } from '../words/index.js';
import { BestOf } from './best-of.js';
import { type Likeness, likenessTo } from './likeness.js';
import type { IntentMemory, RecallOptions } from './memory/intent-memory.js';
import { NO_MEMORY, type Recall, type ToolRecall } from './memory/recall.js';
import type { Question } from './question.js';
import type { Reliability } from './reliability.js';
import type { SessionView } from './session-view.js';
import { type Signal, signalValues, type SignalValues } from './signals.js';
import { natureOf } from './tool-nature.js';
import { featuresFor, type TraceSource } from './trace-source.js';

/** All sources of evidence for a question. */
export interface RankingSources {
  readonly index: ToolIndex;
  /** Undefined until a model is loaded. */
  readonly tools?: VectorIndex<ToolId>;
  /** The purpose of each server: the mean of its tools. */
  readonly servers?: VectorIndex<string>;
  /** Embedded texts of all kinds: a scale for likeness where there are few tools. */
  readonly reference?: VectorIndex<string>;
  readonly memory?: IntentMemory;
  readonly reliability: Reliability;
  /** Tools that usually accompany the most recent calls. */
  readonly session?: (called: readonly ToolId[]) => SessionView;
  /** Set if trace features are wanted. */
  readonly traces?: TraceSource;
  /** The score of each tool by vectors learned from past requests. Default: none. */
  readonly trained?: ((question: Question) => (tool: ToolId) => number) | undefined;
}

export interface ToolCandidate {
  readonly tool: CatalogTool;
  readonly signals: SignalValues;
  /** Its trace features, if wanted. */
  readonly features?: FeatureValues;
  /** Where a request with several needs asks for it: 0 at the beginning, 1 at the end. */
  readonly place?: number;
  /** The need it serves best, if there are several. */
  readonly need?: number;
}

export interface Gathered extends Pick<Recall, 'similar' | 'trust'> {
  readonly candidates: readonly ToolCandidate[];
}

export interface GatherOptions extends RecallOptions {
  readonly filter?: ToolFilter;
}

/** This many of the best by each signal are scored by all signals. */
const TOP_BY_WORDS = 60;
const TOP_BY_MEANING = 60;
const TOP_BY_NEED = 15;
const TOP_BY_MEMORY = 80;

/** How sharply the best match of a need is separated from weaker ones. */
const PLACE_MEANING = 1.5;
const PLACE_WORDS = 4;

/** How many likely tools bring in the tools they were used with. */
const HOSTS = 8;
const SURE_DEVIATIONS = 8;
/** A smaller share of a request's words is chance and does not count as a match. */
const FEW_WORDS = 0.05;

/** Finds the candidate tools for a question, each with all its signals. */
export function gatherCandidates(
  question: Question,
  sources: RankingSources,
  options: GatherOptions = {},
): Gathered {
  const { filter = () => true } = options;
  const fits = (id: ToolId): boolean => {
    const tool = sources.index.get(id);
    return tool !== undefined && filter(tool);
  };
  const views = viewsOf(question, sources, { ...options, filter, fits });
  const found = likelyTools(views, { filter, fits });
  const first = [...found].map((tool) => ({ tool, values: valuesOf(tool, views, sources) }));
  const company = companyOf(first, views.recall);
  for (const id of company.keys()) {
    if (found.has(id) || !fits(id)) continue;
    first.push({ tool: id, values: valuesOf(id, views, sources) });
  }
  const { similar, trust } = views.recall;
  const { traces, memory: requests } = sources;
  const asked = { called: question.called ?? [], similar, requests };
  const featuresOf = traces && featuresFor(traces, asked);
  const candidates = first.map(({ tool, values }) => ({
    tool: sources.index.get(tool)!,
    signals: signalValues({
      ...values,
      company: views.recall.recurrence * (company.get(tool) ?? 0),
    }),
    ...(featuresOf && { features: featuresOf(tool) }),
    ...placeIn(views, tool),
  }));
  return { candidates, similar, trust };
}

interface Views {
  readonly words: LexicalScores;
  readonly meaning: Likeness<ToolId> | undefined;
  readonly server: Likeness<string> | undefined;
  readonly needWords: readonly LexicalScores[];
  readonly needMeaning: readonly Likeness<ToolId>[];
  readonly recall: Recall;
  readonly session: SessionView;
  /** Whether the request only asks for information. */
  readonly onlyAsks: boolean;
  readonly trained: (tool: ToolId) => number;
}

interface Fitting {
  readonly filter: ToolFilter;
  readonly fits: (id: ToolId) => boolean;
}

function viewsOf(
  question: Question,
  sources: RankingSources,
  { fits, ...options }: GatherOptions & Fitting,
): Views {
  const { index, tools, servers, memory, reference } = sources;
  const { vector, needs } = question;
  const meaning =
    vector && tools && likenessTo(tools, vector, { limit: TOP_BY_MEANING, fits, reference });
  return {
    words: index.score(question.text),
    meaning,
    server:
      vector && servers && likenessTo(servers, vector, { limit: 0, fits: () => true, reference }),
    needWords: needs.map(({ text }) => index.score(text)),
    needMeaning: needs.flatMap((need) =>
      need.vector && tools
        ? [likenessTo(tools, need.vector, { limit: TOP_BY_NEED, fits, reference })]
        : [],
    ),
    recall: memory?.recall(question, { ...options, unrelated: meaning?.spread }) ?? NO_MEMORY,
    session: sources.session?.(question.called ?? []) ?? NO_SESSION,
    onlyAsks: onlyAsks(question.text),
    trained: sources.trained?.(question) ?? (() => 0),
  };
}

function likelyTools(views: Views, { filter, fits }: Fitting): Set<ToolId> {
  return new Set([
    ...views.words.top(TOP_BY_WORDS, filter),
    ...(views.meaning?.top ?? []),
    ...views.needWords.flatMap((words) => words.top(TOP_BY_NEED, filter)),
    ...views.needMeaning.flatMap((meaning) => meaning.top),
    ...topByMemory(views.recall, fits),
    ...views.session.tools.filter(fits),
  ]);
}

/** The past may speak for thousands of tools, so they are not all sorted. */
function topByMemory(recall: Recall, fits: (id: ToolId) => boolean): readonly ToolId[] {
  const best = new BestOf<ToolId>(TOP_BY_MEMORY, (one, other) => one < other);
  for (const id of recall.tools) best.offer(id, recall.strengthOf(id), fits);
  return best.items;
}

/** With this factor, three failures in a row outweigh a name that matches the request. */
const DONE_WITHOUT = 12;

const NO_SESSION: SessionView = { tools: [], of: () => ({}) };

type Values = Partial<Record<Signal, number>>;

function valuesOf(id: ToolId, views: Views, sources: RankingSources): Values {
  const { words, meaning, server, needWords, needMeaning, recall, session } = views;
  const tool = sources.index.get(id)!;
  const { changes, isDeprecated } = natureOf(tool);
  const coverage = words.of(id);
  const past = recall.of(id);
  const whole = meaning?.of(id) ?? 0;
  const toNeeds = needMeaning.map((need) => need.of(id));
  const likeness = meaning ? whole / SURE_DEVIATIONS : coverage;
  return {
    words: coverage / (words.best + FEW_WORDS),
    coverage,
    meaning: whole,
    needWords: Math.max(0, ...(needWords.length > 0 ? needWords : [words]).map((n) => n.of(id))),
    needMeaning: Math.max(whole, ...toNeeds),
    needsMeaning: cubicMean(toNeeds.length > 0 ? toNeeds : [whole]),
    server: server?.of(tool.server) ?? 0,
    repeat: past.repeat,
    ...ofThePast(past, recall),
    // A failing tool counts less if similar requests were served without it.
    reliability:
      sources.reliability.signal(id) * (1 + DONE_WITHOUT * Math.max(0, recall.trust - past.vote)),
    named: words.isNamed(id) ? 1 : 0,
    unasked: views.onlyAsks ? changes : 0,
    outdated: isDeprecated ? 1 : 0,
    ...session.of(id, Math.min(1, Math.max(0, likeness))),
    trained: views.trained(id),
  };
}

/** Evidence from past requests, scaled by how much the past can say about a new request. */
function ofThePast(past: ToolRecall, { nearest, recurrence, say }: Recall): Values {
  const vote = recurrence * past.vote;
  return {
    vote,
    sureVote: (vote * Math.min(nearest, SURE_DEVIATIONS)) / SURE_DEVIATIONS,
    near: say * past.near,
    pastWords: say * past.words,
    uses: say * Math.log1p(past.uses),
    serverVote: recurrence * past.serverVote,
    serverUses: say * Math.log1p(past.serverUses),
    needVote: say * past.needs.vote,
    needLift: say * past.needs.lift,
  };
}

/** The need it serves, if one stands out. */
function placeIn(
  { needWords, needMeaning }: Views,
  tool: ToolId,
): Pick<ToolCandidate, 'place' | 'need'> {
  if (needWords.length < 2) return {};
  const fits = needWords.map((words, at) => {
    return PLACE_MEANING * (needMeaning[at]?.of(tool) ?? 0) + PLACE_WORDS * words.of(tool);
  });
  const best = Math.max(...fits);
  const shares = fits.map((fit) => Math.exp(fit - best));
  const total = shares.reduce((sum, share) => sum + share, 0);
  const mean = shares.reduce((sum, share, at) => sum + share * (at + 0.5), 0) / total;
  return { place: mean / fits.length, need: fits.indexOf(best) };
}

/** High values dominate; average ones hardly count. */
function cubicMean(values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + Math.max(0, value) ** 3, 0);
  return Math.cbrt(sum / Math.max(1, values.length));
}

/** The companions of the tools that look likeliest so far. */
function companyOf(
  found: readonly { tool: ToolId; values: Values }[],
  { company }: Recall,
): ReadonlyMap<ToolId, number> {
  const scores = found.map(({ tool, values }) => ({
    tool,
    score: (values.meaning ?? 0) + 3 * (values.words ?? 0) + 4 * (values.vote ?? 0),
  }));
  const best = scores.reduce((most, { score }) => Math.max(most, score), -Infinity);
  const odds = scores.map(({ tool, score }) => ({ tool, odds: Math.exp(1.2 * (score - best)) }));
  const total = odds.reduce((sum, one) => sum + one.odds, 0);
  const hosts = odds
    .toSorted((one, other) => other.odds - one.odds || (one.tool < other.tool ? -1 : 1))
    .slice(0, HOSTS);
  const shares = new Map<ToolId, number>();
  for (const host of hosts) {
    const uses = company.uses(host.tool);
    if (uses < 1) continue;
    for (const [tool, together] of company.companions(host.tool)) {
      const share = ((host.odds / total) * together) / (uses + 1);
      shares.set(tool, (shares.get(tool) ?? 0) + share);
    }
  }
  return shares;
}
