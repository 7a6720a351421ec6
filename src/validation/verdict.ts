/**
 * Whether a value satisfies a schema. `unknown`: it holds a value nobody knows yet, or the schema says
 * something that cannot be checked here. Only `fails` is ever held against anybody.
 */
export type Verdict = 'fits' | 'fails' | 'unknown';

export function both(one: Verdict, other: Verdict): Verdict {
  if (one === 'fails' || other === 'fails') return 'fails';
  return one === 'unknown' || other === 'unknown' ? 'unknown' : 'fits';
}
