/** How often each program gave the argument that then came. */
import { kept } from './kept-map.js';
import type { Leaf } from './leaves.js';
import {
  isSameLeaf,
  KIND_COUNT,
  PICK_COUNT,
  PICK_KIND_COUNT,
  pickKindOf,
  STATE_COUNT,
  type Vote,
} from './programs.js';

/** Pairs of right and tried. */
type Counts = Float32Array;

/** The same by kind and state; few of them come up in one argument. */
type SparseCounts = Map<number, Tally>;

interface Tally {
  right: number;
  tried: number;
}

/** Arguments of tools, and programs of one of them; the longest unused leaves. */
const MOST_PARAMETERS = 3_000;
const MOST_PROGRAMS = 300;
/** As if so many tries spoke for what is known more generally. */
const PULL = { pick: 4, kind: 4, name: 8, parameter: 4, program: 2 };
const FIRST_RATE = 0.05;

interface OfParameter {
  readonly kinds: SparseCounts;
  /** Only programs that were right at least once. */
  readonly programs: Map<string, Counts>;
}

/** For each program of an argument, what it was worth at the last call of the same tool. */
export type States = ReadonlyMap<string, number>;

const STATE_NONE = 0;
const STATE_ABSENT = 1;
const STATE_RIGHT = 2;
const STATE_WRONG = 3;

/** Two bits for each pick of a key. */
export function statesOf(votes: readonly Vote[], actual: Leaf): States {
  const states = new Map<string, number>();
  for (const { key, pick, value } of votes) {
    const state = isSameLeaf(value, actual) ? STATE_RIGHT : STATE_WRONG;
    states.set(key, (states.get(key) ?? 0) | (state << (2 * pick)));
  }
  return states;
}

function stateOf({ key, pick }: Vote, states: States | undefined): number {
  if (!states) return STATE_NONE;
  return ((states.get(key) ?? 0) >> (2 * pick)) & 3 || STATE_ABSENT;
}

export class ProgramCounts {
  readonly #picks = new Float32Array(2 * PICK_KIND_COUNT * STATE_COUNT);
  readonly #general = new Float32Array(2 * KIND_COUNT * STATE_COUNT);
  readonly #names = new Map<string, SparseCounts>();
  readonly #parameters = new Map<string, OfParameter>();

  /** `parameter` is unique for the tool and the path, `name` is shared by tools. */
  add(
    { parameter, name }: { readonly parameter: string; readonly name: string },
    votes: readonly Vote[],
    { actual, states }: { readonly actual: Leaf; readonly states: States | undefined },
  ): void {
    const named = kept(this.#names, name, newKinds, MOST_PARAMETERS);
    const own = kept(this.#parameters, parameter, newParameter, MOST_PARAMETERS);
    for (const vote of votes) {
      const isRight = isSameLeaf(vote.value, actual) ? 1 : 0;
      const state = stateOf(vote, states);
      const at = vote.kind * STATE_COUNT + state;
      const picked = 2 * (pickKindOf(vote) * STATE_COUNT + state);
      this.#picks[picked]! += isRight;
      this.#picks[picked + 1]! += 1;
      this.#general[2 * at]! += isRight;
      this.#general[2 * at + 1]! += 1;
      addTally(named, at, isRight);
      addTally(own.kinds, at, isRight);
      const known = own.programs.get(vote.key);
      if (!known && !isRight) continue;
      const counts = known ?? kept(own.programs, vote.key, newProgram, MOST_PROGRAMS);
      const place = 2 * (vote.pick * STATE_COUNT + state);
      counts[place]! += isRight;
      counts[place + 1]! += 1;
    }
  }

  /** How likely each vote is right, the particular held to the general the more the less is known. */
  rates(
    { parameter, name }: { readonly parameter: string; readonly name: string },
    votes: readonly Vote[],
    states: States | undefined,
  ): Float64Array {
    const named = this.#names.get(name);
    const own = this.#parameters.get(parameter);
    return Float64Array.from(votes, (vote) => {
      const state = stateOf(vote, states);
      const at = vote.kind * STATE_COUNT + state;
      const picked = 2 * (pickKindOf(vote) * STATE_COUNT + state);
      let rate = held(this.#picks, picked, FIRST_RATE, PULL.pick);
      rate = held(this.#general, 2 * at, rate, PULL.kind);
      if (named) rate = heldTally(named.get(at), rate, PULL.name);
      if (own) {
        rate = heldTally(own.kinds.get(at), rate, PULL.parameter);
        const counts = own.programs.get(vote.key);
        if (counts) rate = held(counts, 2 * (vote.pick * STATE_COUNT + state), rate, PULL.program);
      }
      return rate;
    });
  }
}

function held(counts: Counts, at: number, general: number, pull: number): number {
  return (counts[at]! + pull * general) / (counts[at + 1]! + pull);
}

function heldTally(tally: Tally | undefined, general: number, pull: number): number {
  return tally ? (tally.right + pull * general) / (tally.tried + pull) : general;
}

function addTally(counts: SparseCounts, at: number, right: number): void {
  const tally = counts.get(at);
  if (tally) {
    tally.right += right;
    tally.tried += 1;
  } else counts.set(at, { right, tried: 1 });
}

const newKinds = (): SparseCounts => new Map();
const newProgram = (): Counts => new Float32Array(2 * PICK_COUNT * STATE_COUNT);
const newParameter = (): OfParameter => ({ kinds: newKinds(), programs: new Map() });
