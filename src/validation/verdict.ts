/**
 * Whether a value satisfies a schema. `unknown`: the value holds one that is not known yet, or the
 * schema has a rule that cannot be checked here. Only `fails` is a violation.
 */
export type Verdict = 'fits' | 'fails' | 'unknown';

export function both(one: Verdict, other: Verdict): Verdict {
  if (one === 'fails' || other === 'fails') return 'fails';
  return one === 'unknown' || other === 'unknown' ? 'unknown' : 'fits';
}
