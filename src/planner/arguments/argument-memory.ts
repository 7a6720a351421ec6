import {
  canonicalJson,
  evidenceWeight,
  type ExecutionTrace,
  type JsonObject,
  type JsonValue,
  mentionsSecret,
  originOf,
  type PastCall,
  type ToolId,
} from '../../core/index.js';
import { nameWords } from '../../words/index.js';
import { wantedLiterals } from '../fit/wanted-literals.js';
import { alignLiteral } from '../literals/align-literals.js';
import { isOneOfSeveral } from '../literals/literal-parts.js';
import type { Literal, LiteralKind } from '../literals/literal.js';
import { valueAt } from './fill-nested.js';
import { isSaidIn, namedOnlyThen } from './said-then.js';

/** A past run with a similar request. */
export interface SimilarRun {
  /** The id of its trace. */
  readonly id: string;
  /** How far it can be trusted to have wanted the same, from 0 to 1. */
  readonly weight: number;
  /** Its request had the same words. */
  readonly isSame?: boolean;
}

/** What is asked now. */
export interface PresentRequest {
  readonly intent: string;
  readonly literals: readonly Literal[];
  /** Most alike first. */
  readonly similar: readonly SimilarRun[];
}

/** What a parameter is probably given, and the run that says so. */
export type ArgumentProposal = {
  /** From 0 to 1. */
  readonly score: number;
  /** Why, in words. */
  readonly because: string;
  readonly run: string;
} & (
  | { readonly kind: 'same'; readonly value: JsonValue }
  /** The literal at the place in this request where the past value stood in the past request. */
  | { readonly kind: 'aligned'; readonly literal: Literal }
);

interface HabitQuestion {
  /** What is asked now. */
  readonly intent: string;
  readonly kind: LiteralKind;
  /** How many literals of the kind it has. */
  readonly count: number;
}

interface PastUse {
  readonly run: string;
  readonly intent: string;
  readonly args: JsonObject;
  readonly origins: PastCall['origins'];
  readonly trace: Pick<ExecutionTrace, 'source' | 'hasOrigins'>;
}

const CAPACITY = 20_000;
/** If a request lists several values, each one is at most this likely. */
const ONE_OF_SEVERAL = 0.5;

/** Per tool; older uses show outdated habits. */
const MOST_USES = 200;
/** Fewer calls do not make a habit. */
const HABIT_CALLS = 3;
const HABIT_SHARE = 0.9;
/** This many of the newest calls show which literals requests had. */
const LATEST_USES = 10;
const MOST_LITERALS = 50;
/** A value that one similar run had, at its best. */
const ONE_RUN = 0.8;
/** A value with a name from the past request that this request does not have: at most a hint. */
const OF_ANOTHER = 0.3;
const LONGEST_INTENT = 4_000;

/** Names of one thing among many; the next call means another one. */
const ONE_OF_MANY = new Set(
  'id ids uuid token cursor hash sha key etag handle nonce otp code number'.split(' '),
);

/** Long and without blanks; so is a path, but for its short steps. */
const ENCODED = /^[A-Za-z0-9+/=_-]{32,}$/;
const PATH = /^~?(?:\/[\w-]{1,30})+\/?$/;

/** The arguments of past calls. The oldest are evicted. */
export class ArgumentMemory {
  readonly #capacity: number;
  readonly #uses = new Map<ToolId, PastUse[]>();
  /** Tools of the runs, oldest first. */
  readonly #runs = new Map<string, readonly ToolId[]>();

  constructor({ capacity = CAPACITY } = {}) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#runs.size;
  }

  /** Skips failed runs and failed calls: they show what not to do. */
  add({ id, intent, ok, calls, source, hasOrigins }: ExecutionTrace): void {
    if (!ok || this.#runs.has(id)) return;
    const trace = { source, ...(hasOrigins && { hasOrigins }) };
    const tools = new Set<ToolId>();
    for (const { tool, ok: worked, args, origins } of calls) {
      if (!worked || !args) continue;
      tools.add(tool);
      const uses = this.#uses.get(tool) ?? [];
      this.#uses.set(tool, uses);
      uses.push({ run: id, intent: intent.slice(0, LONGEST_INTENT), args, origins, trace });
      if (uses.length > MOST_USES) uses.shift();
    }
    if (tools.size === 0) return;
    this.#runs.set(id, [...tools]);
    for (const [oldest, gone] of this.#runs) {
      if (this.#runs.size <= this.#capacity) break;
      this.#forget(oldest, gone);
    }
  }

  /**
   * What a parameter is probably given: its habitual value, or the value of the most similar run.
   * If the past request named the value, the literal at that place in the new request replaces it.
   */
  propose(tool: ToolId, param: string, request: PresentRequest): ArgumentProposal | undefined {
    if (mentionsSecret(param)) return undefined;
    const uses = this.#usesOf(tool, param);
    const usual = this.#usual(uses, param, request.intent);
    return usual ?? this.#fromSimilar(uses, param, request);
  }

  /**
   * The value a parameter always had although past requests had as many literals of this kind as
   * this one: those literals were for something else, so probably this one is too.
   */
  habit(
    tool: ToolId,
    param: string,
    { kind, count, intent: now }: HabitQuestion,
  ): ArgumentProposal | undefined {
    if (mentionsSecret(param)) return undefined;
    const uses = this.#usesOf(tool, param);
    const usual = this.#usual(uses, param, now);
    if (!usual) return undefined;
    const passedOver = uses.slice(-LATEST_USES).filter(({ intent }) => {
      const literals = wantedLiterals(intent, { most: MOST_LITERALS });
      return literals.filter((one) => one.kind === kind).length >= count;
    });
    return passedOver.length >= HABIT_CALLS ? usual : undefined;
  }

  /** In how many runs the parameter had this or another value that was given or approved. */
  meant(tool: ToolId, param: string, value: JsonValue): { same: number; other: number } {
    const text = canonicalJson(value);
    const isSame = ({ args }: PastUse) => canonicalJson(valueAt(args, param)!) === text;
    const uses = this.#usesOf(tool, param).filter((use) => weightOf(use, param) === 1);
    const runsOf = (some: readonly PastUse[]) => new Set(some.map(({ run }) => run)).size;
    return {
      same: runsOf(uses.filter(isSame)),
      other: runsOf(uses.filter((use) => !isSame(use))),
    };
  }

  /** In how many runs the parameter had a value, and in how many of them the request had it too. */
  said(tool: ToolId, param: string): { readonly runs: number; readonly said: number } {
    const runs = new Map<string, boolean>();
    for (const { run, intent, args } of this.#usesOf(tool, param)) {
      runs.set(run, runs.get(run) === true || isSaidIn(valueAt(args, param)!, intent));
    }
    return { runs: runs.size, said: [...runs.values()].filter(Boolean).length };
  }

  #usesOf(tool: ToolId, param: string): readonly PastUse[] {
    return (this.#uses.get(tool) ?? []).filter((use) => {
      // An unconfirmed guess of PML is no evidence, and must not confirm itself.
      return valueAt(use.args, param) !== undefined && weightOf(use, param) > 0;
    });
  }

  #usual(uses: readonly PastUse[], param: string, now: string): ArgumentProposal | undefined {
    const counts = new Map<string, PastUse[]>();
    for (const use of uses) {
      const key = canonicalJson(valueAt(use.args, param)!);
      counts.set(key, [...(counts.get(key) ?? []), use]);
    }
    const weigh = (some: readonly PastUse[]) =>
      some.reduce((sum, use) => sum + weightOf(use, param), 0);
    const [most = []] = [...counts.values()].toSorted((a, b) => weigh(b) - weigh(a));
    const newest = most.at(-1);
    const [times, all] = [weigh(most), weigh(uses)];
    if (!newest || times / all < HABIT_SHARE) return undefined;
    const value = valueAt(newest.args, param)!;
    // A request that named a part of the value is no evidence for a request that does not.
    const telling = most.filter(({ intent }) => namedOnlyThen(value, intent, now) === undefined);
    const runs = weigh([...new Map(telling.map((use) => [use.run, use])).values()]);
    if (runs < HABIT_CALLS) return undefined;
    if (isOneOfMany(param, value) || most.some(({ intent }) => isSaidIn(value, intent)))
      return undefined;
    return {
      kind: 'same',
      value,
      score: times / (all + 1),
      because: `it was so in ${most.length} of ${uses.length} past calls`,
      run: newest.run,
    };
  }

  #fromSimilar(
    uses: readonly PastUse[],
    param: string,
    { intent: now, literals, similar }: PresentRequest,
  ): ArgumentProposal | undefined {
    const all = similar.flatMap(({ id, weight }) =>
      // A run that called the tool with several values does not say which one is meant.
      onlyUse(
        uses.filter(({ run }) => run === id),
        param,
      ).map((use) => ({ use, weight: weight * (0.5 + weightOf(use, param) / 2) })),
    );
    // A value for another thing is no evidence against a value for this thing.
    const own = all.filter(({ use }) => otherName(use, param, now) === undefined);
    const near = own.length > 0 ? own : all;
    const [best] = near;
    if (!best) return undefined;
    const { use, weight } = best;
    const value = valueAt(use.args, param)!;
    if (isSaidIn(value, use.intent)) return aligned(value, use, { literals, weight });
    if (isOneOfMany(param, value)) return undefined;
    const text = canonicalJson(value);
    const total = near.reduce((sum, one) => sum + one.weight, 0);
    const agreeing = near.filter(
      ({ use: { args } }) => canonicalJson(valueAt(args, param)!) === text,
    );
    const share = agreeing.reduce((sum, one) => sum + one.weight, 0) / Math.max(total, 1e-9);
    const score = ONE_RUN * Math.min(1, weight) * share;
    const because = `it was so in a similar run, "${use.intent.slice(0, 80)}"`;
    const other = otherName(use, param, now);
    if (other === undefined) return { kind: 'same', value, score, because, run: use.run };
    return {
      kind: 'same',
      value,
      score: Math.min(OF_ANOTHER, score),
      because: `${because}, but it names \`${other.slice(0, 80)}\`, which this request does not`,
      run: use.run,
    };
  }

  #forget(run: string, tools: readonly ToolId[]): void {
    this.#runs.delete(run);
    for (const tool of tools) {
      const left = (this.#uses.get(tool) ?? []).filter((use) => use.run !== run);
      if (left.length > 0) this.#uses.set(tool, left);
      else this.#uses.delete(tool);
    }
  }
}

function weightOf({ origins, trace }: PastUse, param: string): number {
  return evidenceWeight(originOf(origins, param), trace);
}

/** The part of a past value that this request does not name; whole values are aligned instead. */
function otherName({ args, intent }: PastUse, param: string, now: string): string | undefined {
  const value = valueAt(args, param)!;
  return isSaidIn(value, intent) ? undefined : namedOnlyThen(value, intent, now);
}

function onlyUse(uses: readonly PastUse[], param: string): readonly PastUse[] {
  const values = new Set(uses.map(({ args }) => canonicalJson(valueAt(args, param)!)));
  return values.size === 1 ? uses.slice(0, 1) : [];
}

function aligned(
  value: JsonValue,
  use: PastUse,
  { literals, weight }: { readonly literals: readonly Literal[]; readonly weight: number },
): ArgumentProposal | undefined {
  const then = wantedLiterals(use.intent);
  const text = textOf(value);
  const past = then.find((one) => one.value === value || one.text === text);
  const found = past && alignLiteral(past, then, literals);
  if (!past || !found) return undefined;
  const isOne = !Array.isArray(value) && isOneOfSeveral(found.literal, literals);
  return {
    kind: 'aligned',
    literal: found.literal,
    score: found.score * Math.min(1, 0.5 + weight / 2) * (isOne ? ONE_OF_SEVERAL : 1),
    because: `\`${found.literal.text.slice(0, 80)}\` stands where \`${past.text.slice(0, 80)}\` stood in a similar run, "${use.intent.slice(0, 80)}"`,
    run: use.run,
  };
}

/** For a list of one item, the text of that item. */
function textOf(value: JsonValue): string {
  const [only] =
    Array.isArray(value) && value.length === 1 ? (value as readonly JsonValue[]) : [value];
  return typeof only === 'string' ? only : JSON.stringify(only);
}

/** The id of a message is another one next time; `primary` as the id of a calendar is not. */
function isOneOfMany(param: string, value: JsonValue): boolean {
  const isNamedSo = nameWords(param).some((word) => ONE_OF_MANY.has(word));
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (isNamedSo) return !/^[\p{L} _-]{1,24}$/u.test(text);
  return /[0-9a-f]{16}|^eyJ/.test(text) || (ENCODED.test(text) && !PATH.test(text));
}
