import type { Origin } from '../run/provenance.js';
import type { ExecutionTrace } from './experience.js';

/** The weight of a value confirmed by running a suggested plan: the agent may not have read it. */
const SEEN = 0.5;
/** The weight of a value of an older version, which did not record whether PML guessed it. */
const UNKNOWN = 0.5;

/**
 * How much a past value says about what the user wants, from 0 to 1. A value that the user or agent
 * gave, or approved when shown, counts in full. An unconfirmed guess counts nothing, however often
 * it was run: otherwise it would prove itself.
 */
export function evidenceWeight(
  origin: Origin | undefined,
  { source, hasOrigins }: Pick<ExecutionTrace, 'source' | 'hasOrigins'>,
): number {
  if (!origin) return source === 'import' || hasOrigins ? 1 : UNKNOWN;
  if (origin.source === 'given' || origin.confirmed === 'approved') return 1;
  return origin.confirmed === 'seen' ? SEEN : 0;
}

/** The origin of a parameter or of a part of it; of several, the one that counts least. */
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
