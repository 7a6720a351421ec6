import type { Origin } from '../run/provenance.js';
import type { ExecutionTrace } from './experience.js';

/** What counts of an agreement by running a suggested plan as it was: the agent may not have looked. */
const SEEN = 0.5;
/** What counts of a value of an older version, which did not say whether PML had guessed it. */
const UNKNOWN = 0.5;

/**
 * How much a value of the past says about what is wanted, from 0 to 1. A value that somebody gave, or
 * approved when it was shown, counts in full. A guess that nobody confirmed counts nothing, however
 * often it was run: else it would prove itself.
 */
export function evidenceWeight(
  origin: Origin | undefined,
  { source, hasOrigins }: Pick<ExecutionTrace, 'source' | 'hasOrigins'>,
): number {
  if (!origin) return source === 'import' || hasOrigins ? 1 : UNKNOWN;
  if (origin.source === 'given' || origin.confirmed === 'approved') return 1;
  return origin.confirmed === 'seen' ? SEEN : 0;
}

/** The origin of a parameter, or of a part of it: of several the one that counts least. */
export function originOf(
  origins: Readonly<Record<string, Origin>> | undefined,
  param: string,
): Origin | undefined {
  if (!origins) return undefined;
  const own = Object.entries(origins).filter(
    ([path]) => path === param || isInside(path, param) || isInside(param, path),
  );
  const rank = ({ confirmed }: Origin) => CONFIRMATIONS.indexOf(confirmed);
  return own.map(([, origin]) => origin).toSorted((a, b) => rank(a) - rank(b))[0];
}

const CONFIRMATIONS: readonly Origin['confirmed'][] = [undefined, 'seen', 'approved'];

function isInside(path: string, whole: string): boolean {
  return path.startsWith(`${whole}.`) || path.startsWith(`${whole}[`);
}
