import {
  isExchange,
  matchGlobs,
  maySpeculate,
  type Principal,
  type ServerName,
  type SpeculationSettings,
} from '../core/index.js';

/** What decides whether a server is started before a call needs it. */
export interface WarmCandidate {
  readonly server: ServerName;
  readonly isolation: 'shared' | 'per-client';
  /** Its last start, connection or listing failed, as where it needs a sign-in. */
  readonly hasFailed: boolean;
  readonly principal: Principal;
  /** Whether the session that it would be started for is still there. */
  readonly hasSession: boolean;
}

export type WhyNotWarm = 'off' | 'denied' | 'failed' | 'no session';

/** Why a server is not started ahead; undefined if it may be. */
export function whyNotWarm(
  settings: SpeculationSettings,
  candidate: WarmCandidate,
  denied: readonly string[],
): WhyNotWarm | undefined {
  if (!maySpeculate(settings, 'warm') || settings.warmServers === 0) return 'off';
  if (isServerDenied(candidate.server, [...settings.deny, ...denied])) return 'denied';
  const isOwn = candidate.isolation === 'per-client';
  if (isOwn && (isExchange(candidate.principal) || !candidate.hasSession)) return 'no session';
  return candidate.hasFailed ? 'failed' : undefined;
}

/** Whether a glob names the server, or all of its tools. */
function isServerDenied(server: ServerName, globs: readonly string[]): boolean {
  const isNamed = matchGlobs(globs);
  return isNamed(server) || isNamed(`${server}:*`);
}
