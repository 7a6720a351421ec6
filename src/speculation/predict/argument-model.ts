/** Which arguments the next call of a tool has, learned from calls. */
import type { JsonObject, ToolId } from '../../core/index.js';
import type { SessionCall } from '../situation.js';
import { Accuracy } from './accuracy.js';
import { argsOfLeaves, type Leaf, leafName, type Leaves, leavesOfArgs } from './leaves.js';
import { ProgramCounts, type States, statesOf } from './program-counts.js';
import { isSameLeaf, type Target, type Vote, votesFor, type VoteOptions } from './programs.js';
import { ShapeMemory } from './shape-memory.js';
import { type CopySource, type SourceOptions, sourcesAt } from './sources.js';
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

const LONGEST_STREAK = 3;
const MOST_SHAPES = 2;
const MOST_VALUES = 3;
const MOST_GUESSES = 4;
/** How much agreement of several programs adds to the best of them. */
const AGREEMENT = 0.4;
/** Above 1, a value that is much likelier than the others takes from them. */
const SHARPNESS = 1.5;

interface RatedLeaf {
  readonly value: Leaf;
  readonly probability: number;
}

interface Asked {
  readonly own: readonly SessionCall[];
  readonly before: ReadonlyMap<string, States>;
  readonly votes: (path: string) => readonly Vote[];
  readonly rated: (path: string) => readonly RatedLeaf[];
}

export class ArgumentModel {
  readonly #counts = new ProgramCounts();
  readonly #shapes = new ShapeMemory();
  readonly #usual = new UsualValues();
  readonly #accuracy = new Accuracy();
  /** Whether the likeliest guess was right, by the arguments that came. */
  readonly #right = new WeakMap<JsonObject, boolean>();
  readonly #options: ArgumentModelOptions;

  constructor(options: ArgumentModelOptions = {}) {
    this.#options = options;
  }

  /** Likeliest first. */
  guess(tool: ToolId, moment: Moment, sources = this.sources(moment)): readonly ArgumentGuess[] {
    return this.#guess(tool, this.#ask(tool, moment, sources));
  }

  #guess(tool: ToolId, asked: Asked): readonly ArgumentGuess[] {
    const shapes = this.#shapes.likely(tool, asked.own.at(-1), this.#options.requiredOf?.(tool));
    return shapes
      .slice(0, MOST_SHAPES)
      .flatMap(({ paths, probability }) => combine(paths, probability, asked.rated))
      .toSorted((one, other) => other.probability - one.probability)
      .slice(0, MOST_GUESSES);
  }

  /** How often the likeliest guess for a tool was right, before what it was about was learned. */
  accuracy(tool: ToolId, { calls }: Moment): number {
    return this.#accuracy.of(tool, hasCalled(calls, tool));
  }

  /** How many of the last calls of a tool in a row would have been guessed; at most three. */
  streak(tool: ToolId, { calls, intent }: Moment): number {
    let streak = 0;
    for (let at = calls.length - 1; at >= 0 && streak < LONGEST_STREAK; at--) {
      const call = calls[at]!;
      if (call.tool !== tool) continue;
      // That a call without arguments had none says nothing.
      if (Object.keys(call.args).length === 0) break;
      if (!this.#wasRight(call, { calls: calls.slice(0, at), intent })) break;
      streak += 1;
    }
    return streak;
  }

  #wasRight({ tool, args }: SessionCall, moment: Moment): boolean {
    const known = this.#right.get(args);
    if (known !== undefined) return known;
    const [best] = this.guess(tool, moment);
    const isRight = isSameArgs(leavesOfArgs(args), best && leavesOfArgs(best.args));
    this.#right.set(args, isRight);
    return isRight;
  }

  /** The next call of its tool, made at that moment, had these arguments. */
  add(tool: ToolId, moment: Moment, args: JsonObject): void {
    const leaves = leavesOfArgs(args);
    const asked = this.#ask(tool, moment, this.sources(moment));
    const [best] = this.#guess(tool, asked);
    const isRight = isSameArgs(leaves, best && leavesOfArgs(best.args));
    this.#right.set(args, isRight);
    this.#accuracy.add(tool, hasCalled(moment.calls, tool), isRight);
    if (!leaves) return;
    const { own, votes, before } = asked;
    for (const [path, actual] of leaves) {
      const parameter = parameterOf(tool, path);
      this.#counts.add(parameter, votes(path), { actual, states: before.get(path) });
      this.#usual.add(parameter.parameter, actual, moment.intent);
    }
    this.#shapes.add(tool, own.at(-1), leaves);
  }

  /** What speaks for values of the arguments of a tool. */
  #ask(tool: ToolId, moment: Moment, sources: readonly CopySource[]): Asked {
    const own = ownCalls(moment.calls, tool);
    const before = this.#before(tool, moment, own);
    const lastTool = moment.calls.at(-1)?.tool;
    const votes = remembering((path: string) =>
      votesFor(this.#target(tool, path, own, lastTool), sources, this.#options),
    );
    const rated = remembering((path: string) => {
      const found = votes(path);
      const rates = this.#counts.rates(parameterOf(tool, path), found, before.get(path));
      return rateValues(found, rates);
    });
    return { own, before, votes, rated };
  }

  sources({ calls, intent }: Moment): readonly CopySource[] {
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
    const lastTool = earlier.calls.at(-1)?.tool;
    return new Map(
      Array.from(leaves, ([path, actual]) => {
        const target = this.#target(tool, path, mine, lastTool);
        return [path, statesOf(votesFor(target, sources, this.#options), actual)];
      }),
    );
  }

  #target(
    tool: ToolId,
    path: string,
    calls: readonly SessionCall[],
    lastTool: ToolId | undefined,
  ): Target {
    const parameter = parameterOf(tool, path);
    const usual = this.#usual.most(parameter.parameter);
    const own = calls.flatMap(({ args }) => leavesOfArgs(args)?.get(path) ?? []) as readonly Leaf[];
    const last = calls.at(-1);
    const leaves = last && leavesOfArgs(last.args);
    const ownNumbers = [...(leaves?.values() ?? [])].filter((leaf) => typeof leaf === 'number');
    const type = typeOf(own.at(-1) ?? usual[0]?.value);
    return { name: parameter.name, type, own, ownNumbers, lastTool, usual };
  }
}

function remembering<Value>(make: (path: string) => Value): (path: string) => Value {
  const known = new Map<string, Value>();
  return (path) => {
    const value = known.get(path) ?? make(path);
    known.set(path, value);
    return value;
  };
}

function hasCalled(calls: readonly SessionCall[], tool: ToolId): boolean {
  return calls.some((call) => call.tool === tool);
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
  const powers = rated.reduce((sum, { probability }) => sum + probability ** SHARPNESS, 0);
  const scale = Math.min(1, total) / powers;
  return rated
    .map(({ value, probability }) => ({ value, probability: probability ** SHARPNESS * scale }))
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
