import { kept } from './kept-map.js';
import type { Leaf } from './leaves.js';
import { isStandIn } from './stand-in.js';

const MOST_PARAMETERS = 3_000;
const MOST_VALUES = 24;
const LONGEST = 300;
const SHOWN = 3;

export interface UsualValue {
  readonly value: Leaf;
  /** How many different requests it served: what only one needed is no habit. */
  readonly requests: number;
}

interface Usual {
  readonly value: Leaf;
  times: number;
  requests: number;
  last: string;
}

/** The values that arguments usually have. */
export class UsualValues {
  readonly #parameters = new Map<string, Map<string, Usual>>();
  /** Asked for again and again between two calls. */
  readonly #most = new Map<string, readonly UsualValue[]>();

  add(parameter: string, value: Leaf, request: string): void {
    if ((typeof value === 'string' && value.length > LONGEST) || isStandIn(value)) return;
    const values = kept(
      this.#parameters,
      parameter,
      () => new Map<string, Usual>(),
      MOST_PARAMETERS,
    );
    const usual = kept(
      values,
      JSON.stringify(value),
      () => ({ value, times: 0, requests: 1, last: request }),
      MOST_VALUES,
    );
    usual.times += 1;
    if (usual.last !== request) {
      usual.requests += 1;
      usual.last = request;
    }
    this.#most.delete(parameter);
  }

  /** Most usual first; of those that came as often, the one that came last. */
  most(parameter: string): readonly UsualValue[] {
    const known = this.#most.get(parameter);
    if (known) return known;
    const values = [...(this.#parameters.get(parameter)?.values() ?? [])].toReversed();
    const most = values
      .toSorted((one, other) => other.requests - one.requests || other.times - one.times)
      .slice(0, SHOWN);
    if (values.length > 0) this.#most.set(parameter, most);
    return most;
  }
}
