import type { JsonObject, JsonValue } from '../core/index.js';
import { mergeExpected, nearestTrials } from './nearest-trials.js';
import type { Scope, Trial } from './scope.js';
import { both, type Verdict } from './verdict.js';
import { show } from './violation.js';

const SHOWN_FORMS = 3;
/** What it costs to find out how near a form is, beside looking at one schema. */
const TRIAL_STEPS = 10;

/** `allOf`, `anyOf`, `oneOf`, `not` and `if`. */
export function checkBranches(schema: JsonObject, value: JsonValue, scope: Scope): Verdict {
  const { allOf, anyOf, oneOf, not } = schema;
  let verdict: Verdict = 'fits';
  if (Array.isArray(allOf)) {
    for (const branch of allOf) verdict = both(verdict, scope.check(branch, value));
  }
  if (Array.isArray(anyOf)) verdict = both(verdict, checkAny(anyOf, value, scope));
  if (Array.isArray(oneOf)) verdict = both(verdict, checkOne(oneOf, value, scope));
  if (not !== undefined) verdict = both(verdict, checkNot(not, value, scope));
  return schema['if'] === undefined ? verdict : both(verdict, checkIf(schema, value, scope));
}

function checkAny(branches: readonly JsonValue[], value: JsonValue, scope: Scope): Verdict {
  const trials: Trial[] = [];
  for (const branch of branches) {
    const trial = scope.try(branch, value);
    if (trial.verdict === 'fits') return 'fits';
    trials.push(trial);
  }
  if (trials.some(({ verdict }) => verdict === 'unknown')) return 'unknown';
  return failAll(trials, value, scope);
}

function checkOne(branches: readonly JsonValue[], value: JsonValue, scope: Scope): Verdict {
  const trials = branches.map((branch) => scope.try(branch, value));
  const fitting = trials.filter(({ verdict }) => verdict === 'fits').length;
  if (fitting > 1) {
    return scope.fail(`fits ${fitting} of ${branches.length} forms, but must fit exactly one`);
  }
  if (trials.some(({ verdict }) => verdict === 'unknown')) return 'unknown';
  return fitting === 1 ? 'fits' : failAll(trials, value, scope);
}

/** Tells what is wrong with the form it comes nearest to, or with each if several are as near. */
function failAll(trials: readonly Trial[], value: JsonValue, scope: Scope): Verdict {
  if (!scope.spend(TRIAL_STEPS * trials.length))
    return scope.fail('fits none of the allowed forms');
  const all = trials.map(({ found }) => found);
  const nearest = nearestTrials(all);
  const merged = mergeExpected(all) ?? mergeExpected(nearest);
  const [only, ...others] = merged ? [[merged]] : nearest;
  if (only && others.length === 0) {
    scope.found.push(...only);
    return 'fails';
  }
  const ways = nearest.slice(0, SHOWN_FORMS).map(([first]) => `${first?.path}: ${first?.message}`);
  const what = ways.length === 0 ? `got ${show(value)}` : ways.join('; or ');
  return scope.fail(`fits none of ${trials.length} allowed forms: ${what}`);
}

function checkNot(not: JsonValue, value: JsonValue, scope: Scope): Verdict {
  const { verdict } = scope.try(not, value);
  if (verdict === 'unknown') return verdict;
  return verdict === 'fails'
    ? 'fits'
    : scope.fail(`has a form that is not allowed, got ${show(value)}`);
}

function checkIf(schema: JsonObject, value: JsonValue, scope: Scope): Verdict {
  const { if: condition = true, then = true, else: otherwise = true } = schema;
  const { verdict } = scope.try(condition, value);
  if (verdict === 'unknown') return verdict;
  return scope.check(verdict === 'fits' ? then : otherwise, value);
}
