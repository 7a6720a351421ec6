import { type AlgorithmTrace, pause } from '../../core/index.js';
import { type Claim, type ReliabilityCurve, reliabilityCurve } from '../../learning/index.js';
import type { Store } from '../../store/index.js';
import { claimedBindings, type Workflows } from '../../workflows/index.js';
import type { ControlParams } from '../contract.js';
import type { ClaimedAndRight, ClaimKind, ReliabilityMetrics } from '../contract/reliability.js';
import { learnedParts, replayedDiscovery, replayedPlans } from './learned-parts.js';

interface JudgedDaemon {
  readonly workflows: Pick<Workflows, 'tools' | 'planning' | 'suggester' | 'bindings'>;
  store(): Promise<{ store: Store | undefined; error: string | undefined }>;
}

const DEFAULT_LAST = 1_000;

/** Whether what PML claims comes true: by replay and by what agents did, and what it uses of what it learned. */
export async function showReliability(
  daemon: JudgedDaemon,
  { last = DEFAULT_LAST }: ControlParams<'metrics-reliability'>,
): Promise<ReliabilityMetrics> {
  const { workflows } = daemon;
  await daemon.store();
  const judged = await workflows.tools.discovery.decisions({ limit: last, judged: true });
  return {
    claims: [
      ...rowOf('discovery', 'replay', replayedDiscovery(daemon)),
      ...rowOf('discovery', 'live', curveOf(discoveryClaims(judged ?? []))),
      ...rowOf('plans', 'replay', replayedPlans(daemon)),
      ...rowOf('plans', 'live', curveOf(planClaims(judged ?? []))),
      ...rowOf('bindings', 'replay', curveOf(await bindingClaims(workflows))),
    ],
    parts: learnedParts(daemon),
  };
}

/** Corrected ones are known from learning; the others are asked again now. */
async function bindingClaims(workflows: JudgedDaemon['workflows']): Promise<readonly Claim[]> {
  const { learned } = workflows.bindings;
  if (learned?.calibration) return learned.claims;
  return claimedBindings(workflows, pause);
}

/** Of each search: that its first tool is what the agent calls. */
export function discoveryClaims(judged: readonly AlgorithmTrace[]): readonly Claim[] {
  return judged.flatMap(({ algorithm, candidates, outcome }) => {
    const first = candidates[0];
    if (algorithm !== 'discover' || !first || !outcome) return [];
    return [{ confidence: first.score, isRight: outcome.place === 1 }];
  });
}

/** Of each plan: that the agent calls just its tools. */
export function planClaims(judged: readonly AlgorithmTrace[]): readonly Claim[] {
  return judged.flatMap(({ algorithm, verdict, outcome }) => {
    if (algorithm !== 'suggest' || !verdict || outcome?.match === undefined) return [];
    return [{ confidence: verdict.confidence, isRight: outcome.match === 'exact' }];
  });
}

function curveOf(claims: readonly Claim[]): ReliabilityCurve | undefined {
  return claims.length > 0 ? reliabilityCurve(claims) : undefined;
}

function rowOf(
  kind: ClaimKind,
  source: ClaimedAndRight['source'],
  curve: ReliabilityCurve | undefined,
): readonly ClaimedAndRight[] {
  return curve ? [{ kind, source, curve }] : [];
}
