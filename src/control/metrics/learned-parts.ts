import { isJsonObject } from '../../core/index.js';
import type { DiscoveryStatus } from '../../discovery/index.js';
import type { ReliabilityCurve } from '../../learning/index.js';
import type { Workflows } from '../../workflows/index.js';
import { asJson } from '../as-json.js';
import type { LearnedPart } from '../contract/reliability.js';
import { namedField, readCurve, readGates } from './read-learned.js';

export interface LearningDaemon {
  readonly workflows: {
    readonly tools: {
      readonly discovery: {
        readonly status: Pick<DiscoveryStatus, 'ranking' | 'vectors' | 'isLearning'>;
      };
    };
    readonly suggester: { readonly status: Workflows['suggester']['status'] };
    readonly bindings: Pick<Workflows['bindings'], 'learned' | 'isLearning'>;
  };
}

/** The models of plans, as their gates name them. */
const PLAN_PARTS = ['members', 'links', 'next', 'confidence'];
const NOT_MEASURED = 'nothing measured yet';

/** Every part that PML can learn, with what is in use and why. */
export function learnedParts(daemon: LearningDaemon): readonly LearnedPart[] {
  return [
    discoveryPart(daemon),
    ...planParts(daemon),
    attentionPart(daemon),
    bindingsPart(daemon),
    vectorsPart(daemon),
  ];
}

/** Whether any part learns in the background now. */
export function isLearning({ workflows: { tools, suggester, bindings } }: LearningDaemon): boolean {
  const { status } = tools.discovery;
  return [status.isLearning, suggester.status.isLearning, bindings.isLearning].includes(true);
}

/** The choice of heads that no larger one beat. Each of its gates compares with the choice before. */
function attentionPart({ workflows }: LearningDaemon): LearnedPart {
  if (workflows.suggester.status.isAttentionOff) {
    return { part: 'attention', inUse: 'off', why: 'turned off by learning.attention', gates: [] };
  }
  const gates = readGates(namedField(learnedOf(workflows), 'heads'));
  const used = gates.findLast(({ isBetter }) => isBetter);
  const whyNone = gates.length > 0 ? allRefused(gates) : NOT_MEASURED;
  return {
    part: 'attention',
    inUse: used?.name ?? 'none',
    why: used?.why ?? whyNone,
    gates,
  };
}

/** The correction of the probabilities of inferred bindings. */
function bindingsPart({ workflows: { bindings } }: LearningDaemon): LearnedPart {
  const { heldOut, calibration } = bindings.learned ?? {};
  return {
    part: 'bindings',
    inUse: calibration ? 'learned' : 'shipped',
    why: heldOut?.why ?? NOT_MEASURED,
    gates: readGates(heldOut ? [{ name: 'bindings', ...heldOut }] : []),
  };
}

/** Vectors of tools that were learned from past requests. */
function vectorsPart({ workflows }: LearningDaemon): LearnedPart {
  const { ranking, vectors } = workflows.tools.discovery.status;
  const gates = readGates(namedField(ranking.metric, 'gates'));
  return {
    part: 'vectors',
    inUse: vectors.isInUse ? `learned for ${vectors.tools} tools` : 'off',
    why: vectors.why,
    gates: gates.filter(({ name }) => name === 'vectors'),
  };
}

/** The stored metric of the ranking model has the gates it was chosen by. */
function discoveryPart({ workflows }: LearningDaemon): LearnedPart {
  const { kind, metric } = workflows.tools.discovery.status.ranking;
  const gates = readGates(namedField(metric, 'gates'));
  return { part: 'discovery', inUse: kind, why: whyRanking(kind, gates), gates };
}

/** The kind that PML begins with stays in use without being better than anything. */
function whyRanking(kind: string, gates: LearnedPart['gates']): string {
  const own = gates.find(({ name }) => name === kind);
  if (own) return own.isBetter ? own.why : `used by default; measured: ${own.why}`;
  return gates.length > 0 ? allRefused(gates) : NOT_MEASURED;
}

/** The suggester has one gate for each of its models. */
function planParts({ workflows }: LearningDaemon): readonly LearnedPart[] {
  const gates = planGates(learnedOf(workflows));
  return PLAN_PARTS.map((part): LearnedPart => {
    const own = gates.filter(({ name }) => name === part || name === withTraces(part));
    const [gate] = own;
    const traces = own.find(({ name }) => name === withTraces(part));
    return {
      part,
      inUse: `${gate?.isBetter ? 'learned' : 'shipped'}${traces?.isBetter ? ' + traces' : ''}`,
      why: gate?.why ?? NOT_MEASURED,
      gates: own,
    };
  });
}

/** The gate of trace features, on top of the weights of a model. */
const withTraces = (part: string) => `${part} + traces`;

/** A list of gates with their names, or the verdicts by the names of the models. */
function planGates(learned: unknown): LearnedPart['gates'] {
  const byName = namedField(learned, 'heldOut');
  const byTraces = namedField(learned, 'features');
  const verdicts = [
    ...(isJsonObject(byName) ? Object.entries(byName) : []),
    ...(isJsonObject(byTraces)
      ? Object.entries(byTraces).map(([name, verdict]) => [withTraces(name), verdict] as const)
      : []),
  ];
  return readGates(
    namedField(learned, 'gates') ??
      verdicts.map(([name, verdict]) => ({ name, ...(isJsonObject(verdict) && verdict) })),
  );
}

/** How far discovery's score could be trusted when its model was chosen. */
export function replayedDiscovery({ workflows }: LearningDaemon): ReliabilityCurve | undefined {
  return readCurve(namedField(workflows.tools.discovery.status.ranking.metric, 'reliability'));
}

/** How far the confidence of plans could be trusted when it was learned. */
export function replayedPlans({ workflows }: LearningDaemon): ReliabilityCurve | undefined {
  return readCurve(namedField(learnedOf(workflows), 'reliability'));
}

/** What was learned of plans, in whatever form this build keeps it. */
function learnedOf({ suggester }: LearningDaemon['workflows']): unknown {
  const status: unknown = asJson(suggester.status);
  return namedField(status, 'learned') ?? status;
}

/** The candidate that came nearest says most about why none is used. */
function allRefused(gates: LearnedPart['gates']): string {
  const nearest = gates.toSorted((one, other) => other.gain - one.gain)[0]!;
  return `${nearest.name}: ${nearest.why}`;
}
