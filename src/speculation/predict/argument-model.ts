/** Which arguments the next call of a tool has, learned from calls. */
import type { JsonObject, ToolId } from '../../core/index.js';
import type { SessionCall } from '../situation.js';
import { argsOfLeaves, type Leaf, leafName, type Leaves, leavesOfArgs } from './leaves.js';
import { ProgramCounts, type States, statesOf } from './program-counts.js';
import { isSameLeaf, type Target, type Vote, votesFor, type VoteOptions } from './programs.js';
import { ShapeMemory } from './shape-memory.js';
import { type Source, type SourceOptions, sourcesAt } from './sources.js';
import { UsualValues } from './usual-values.js';

export interface ArgumentGuess {
  readonly args: JsonObject;
  /** That the next call of the tool has exactly these. */
  readonly probability: number;
}

export interface ArgumentModelOptions extends SourceOptions, VoteOptions {
  /** Names of arguments that the tool needs, where it says so. */
  readonly requiredOf?: (tool: ToolId) => readonly string[] | undefined;
}

/** Where a session stands: its calls, oldest first, and what was asked for. */
export interface Moment {
  readonly calls: readonly SessionCall[];
  readonly intent: string;
}

const MOST_SHAPES = 2;
const MOST_VALUES = 3;
const MOST_GUESSES = 4;
/** How much agreement of several programs adds to the best of them. */
const AGREEMENT = 0.4;

interface RatedLeaf {
  readonly value: Leaf;
  readonly probability: number;
}

export class ArgumentModel {
  readonly #counts = new ProgramCounts();
  readonly #shapes = new ShapeMemory();
  readonly #usual = new UsualValues();
  readonly #options: ArgumentModelOptions;

  constructor(options: ArgumentModelOptions = {}) {
    this.#options = options;
  }

  /** Likeliest first. */
  guess(tool: ToolId, moment: Moment, sources = this.sources(moment)): readonly ArgumentGuess[] {
    const own = ownCalls(moment.calls, tool);
    const before = this.#before(tool, moment, own);
    const shapes = this.#shapes.likely(tool, own.at(-1), this.#options.requiredOf?.(tool));
    const rated = new Map<string, readonly RatedLeaf[]>();
    const ratedAt = (path: string) => {
      const known = rated.get(path);
      if (known) return known;
      const votes = this.#votes(tool, path, own, sources);
      const rates = this.#counts.rates(parameterOf(tool, path), votes, before.get(path));
      const values = rateValues(votes, rates);
      rated.set(path, values);
      return values;
    };
    return shapes
      .slice(0, MOST_SHAPES)
      .flatMap(({ paths, probability }) => combine(paths, probability, ratedAt))
      .toSorted((one, other) => other.probability - one.probability)
      .slice(0, MOST_GUESSES);
  }

  /** The next call of its tool, made at that moment, had these arguments. */
  add(tool: ToolId, moment: Moment, args: JsonObject): void {
    const leaves = leavesOfArgs(args);
    if (!leaves) return;
    const own = ownCalls(moment.calls, tool);
    const before = this.#before(tool, moment, own);
    const sources = this.sources(moment);
    for (const [path, actual] of leaves) {
      const votes = this.#votes(tool, path, own, sources);
      const parameter = parameterOf(tool, path);
      this.#counts.add(parameter, votes, { actual, states: before.get(path) });
      this.#usual.add(parameter.parameter, actual);
    }
    this.#shapes.add(tool, own.at(-1), leaves);
  }

  sources({ calls, intent }: Moment): readonly Source[] {
    return sourcesAt(calls, intent, this.#options);
  }

  /** What each program was worth at the last call of the tool, argument by argument. */
  #before(
    tool: ToolId,
    { calls, intent }: Moment,
    own: readonly SessionCall[],
  ): ReadonlyMap<string, States> {
    const last = own.at(-1);
    const leaves = last && leavesOfArgs(last.args);
    if (!leaves) return new Map();
    const earlier = { calls: calls.slice(0, calls.lastIndexOf(last)), intent };
    const sources = this.sources(earlier);
    const mine = own.slice(0, -1);
    return new Map(
      Array.from(leaves, ([path, actual]) => [
        path,
        statesOf(this.#votes(tool, path, mine, sources), actual),
      ]),
    );
  }

  #votes(
    tool: ToolId,
    path: string,
    own: readonly SessionCall[],
    sources: readonly Source[],
  ): readonly Vote[] {
    return votesFor(this.#target(tool, path, own), sources, this.#options);
  }

  #target(tool: ToolId, path: string, calls: readonly SessionCall[]): Target {
    const usual = this.#usual.most(parameterOf(tool, path).parameter);
    const own = calls.flatMap(({ args }) => leavesOfArgs(args)?.get(path) ?? []) as readonly Leaf[];
    const last = calls.at(-1);
    const leaves = last && leavesOfArgs(last.args);
    const ownNumbers = [...(leaves?.values() ?? [])].filter((leaf) => typeof leaf === 'number');
    return { name: leafName(path), type: typeOf(own.at(-1) ?? usual[0]), own, ownNumbers, usual };
  }
}

function parameterOf(tool: ToolId, path: string) {
  return { parameter: `${tool} ${path}`, name: leafName(path) };
}

function ownCalls(calls: readonly SessionCall[], tool: ToolId): readonly SessionCall[] {
  return calls.filter((call) => call.tool === tool);
}

function typeOf(leaf: Leaf | undefined): Target['type'] {
  if (leaf === undefined) return undefined;
  const type = typeof leaf;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'other';
}

/** The best program of a value counts most, others that agree a little; together at most 1. */
function rateValues(votes: readonly Vote[], rates: Float64Array): readonly RatedLeaf[] {
  const byValue = new Map<Leaf, { best: number; none: number }>();
  votes.forEach(({ value }, at) => {
    const rate = rates[at]!;
    const known = byValue.get(value);
    if (!known) byValue.set(value, { best: rate, none: 1 - rate });
    else {
      known.best = Math.max(known.best, rate);
      known.none *= 1 - rate;
    }
  });
  const rated = Array.from(byValue, ([value, { best, none }]) => ({
    value,
    probability: best + AGREEMENT * (1 - none - best),
  }));
  const total = rated.reduce((sum, { probability }) => sum + probability, 0);
  const scale = 1 / Math.max(1, total);
  return rated
    .map(({ value, probability }) => ({ value, probability: probability * scale }))
    .toSorted((one, other) => other.probability - one.probability)
    .slice(0, MOST_VALUES);
}

interface Partial {
  readonly leaves: readonly (readonly [string, Leaf])[];
  readonly probability: number;
}

/** The likeliest combinations of values, one for each path. */
function combine(
  paths: readonly string[],
  probability: number,
  ratedAt: (path: string) => readonly RatedLeaf[],
): readonly ArgumentGuess[] {
  let found: readonly Partial[] = [{ leaves: [], probability }];
  for (const path of paths) {
    const values = ratedAt(path);
    found = found
      .flatMap((one) =>
        values.map(({ value, probability: own }) => ({
          leaves: [...one.leaves, [path, value] as const],
          probability: one.probability * own,
        })),
      )
      .toSorted((one, other) => other.probability - one.probability)
      .slice(0, MOST_GUESSES);
  }
  return found.map(({ leaves, probability: own }) => ({
    args: argsOfLeaves(leaves),
    probability: own,
  }));
}

export function isSameArgs(one: Leaves | undefined, other: Leaves | undefined): boolean {
  if (!one || !other || one.size !== other.size) return false;
  for (const [path, leaf] of one) {
    const there = other.get(path);
    if (there === undefined || !isSameLeaf(leaf, there)) return false;
  }
  return true;
}
