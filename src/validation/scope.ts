import type { JsonObject, JsonValue } from '../core/index.js';
import type { SafePattern } from './safe-pattern.js';
import type { Verdict } from './verdict.js';
import { depthOf, type Finding, placePath, type ViolationPlace } from './violation.js';

/** State that one check shares from beginning to end. */
export interface Check {
  /** The whole schema. References cannot leave it. */
  readonly document: JsonObject;
  /** Schemas and parts of values that may still be checked; at 0, the rest is unknown. */
  steps: number;
  /** Whether a value stands for one that is not known yet. */
  readonly isUnknown: (value: JsonValue) => boolean;
  readonly patternOf: (source: string) => SafePattern | undefined;
  readonly check: (schema: JsonValue, value: JsonValue, scope: Scope) => Verdict;
}

/** The current place of a check in schema and value. Each rule gets one and continues with it. */
export class Scope {
  readonly shared: Check;
  readonly root: JsonObject;
  readonly depth: number;
  readonly found: Finding[];
  readonly #place: ViolationPlace | undefined;

  constructor(
    shared: Check,
    {
      root,
      depth = 0,
      found = [],
      place,
    }: {
      readonly root: JsonObject;
      readonly depth?: number;
      readonly found?: Finding[];
      readonly place?: ViolationPlace | undefined;
    },
  ) {
    this.shared = shared;
    this.root = root;
    this.depth = depth;
    this.found = found;
    this.#place = place;
  }

  /** Checks a part of the value, or with no step the same value, against another schema. */
  check(schema: JsonValue, value: JsonValue, step?: string | number): Verdict {
    return this.shared.check(schema, value, this.#next({ step }));
  }

  /** Checks against a schema of another resource of the same document. */
  checkIn(root: JsonObject, schema: JsonValue, value: JsonValue): Verdict {
    return this.shared.check(schema, value, this.#next({ root }));
  }

  /** Tries a schema: its findings are no violations of the value. */
  try(schema: JsonValue, value: JsonValue, step?: string | number): Trial {
    const found: Finding[] = [];
    return { verdict: this.shared.check(schema, value, this.#next({ step, found })), found };
  }

  fail(message: string, { step, decides = false }: FailOptions = {}): 'fails' {
    if (this.hasEnough) return 'fails';
    this.spend(FAIL_STEPS);
    const place = step === undefined ? this.#place : { before: this.#place, step };
    this.found.push({ path: placePath(place), message, depth: depthOf(place), decides });
    return 'fails';
  }

  /** There are more violations than a reader needs. */
  get hasEnough(): boolean {
    return this.found.length >= ENOUGH;
  }

  /** Uses up steps; false if none are left. */
  spend(steps: number): boolean {
    this.shared.steps -= steps;
    return !this.isSpent;
  }

  get isSpent(): boolean {
    return this.shared.steps < 0;
  }

  #next({ root = this.root, step, found = this.found }: Partial<NextScope>): Scope {
    const place = step === undefined ? this.#place : { before: this.#place, step };
    return new Scope(this.shared, { root, depth: this.depth + 1, found, place });
  }
}

interface FailOptions {
  /** The part of the value that fails. */
  readonly step?: string | number;
  readonly decides?: boolean;
}

export interface Trial {
  readonly verdict: Verdict;
  readonly found: readonly Finding[];
}

interface NextScope {
  readonly root: JsonObject;
  readonly step: string | number | undefined;
  readonly found: Finding[];
}

/** Steps that a violation costs, in addition to checking one schema. */
const FAIL_STEPS = 10;
/** The most telling violations are chosen among these. */
const ENOUGH = 20;
