import type {
  AlgorithmQuality,
  PlanQuality,
  RankingMetrics,
  RankingQuality,
} from '../../control/index.js';
import { visible } from '../../core/visible-text.js';
import { localTime } from '../print/format-time.js';
import { count, heading } from '../print/print.js';
import { table } from '../print/table.js';

const NAMES = {
  discover: 'tools found (discover)',
  suggest: 'plans suggested (suggest)',
  next: 'next steps (next)',
};

export function describeRankingMetrics(metrics: RankingMetrics): readonly string[] {
  const { decisions, algorithms, enough, from, to } = metrics;
  if (decisions === 0) {
    return [
      'Nothing to measure yet: no call followed a search or a plan.',
      'Agents make such decisions with pml_discover and pml_execute_workflow; what they call next says how right they were.',
    ];
  }
  const time = from && to ? `, from ${localTime(from)} to ${localTime(to)}` : '';
  const few = algorithms.filter(({ isEnough }) => !isEnough);
  return [
    `${count(decisions)} decisions that a call followed${time}.`,
    '',
    ...table([
      ['', 'decisions', 'Hit@1', 'Hit@3', 'MRR', 'worked', 'weighed by'].map(heading),
      ...algorithms.flatMap(rowsOf),
    ]).split('\n'),
    ...few.map(
      ({ algorithm, decisions: own }) =>
        `Too few decisions of ${algorithm}: ${count(own)} of at least ${enough}. The numbers may be chance.`,
    ),
    ...algorithms.flatMap(({ plans }) => (plans ? ['', ...describePlans(plans)] : [])),
  ];
}

function rowsOf(one: AlgorithmQuality): readonly (readonly string[])[] {
  const total = [NAMES[one.algorithm], ...cellsOf(one), ''];
  // What one model made is all there is: said once.
  const [only, ...more] = one.models;
  if (only && more.length === 0) return [[...total.slice(0, -1), weighedBy(only)]];
  return [total, ...one.models.map((model) => ['', ...cellsOf(model), weighedBy(model)])];
}

function weighedBy({ model, signals }: AlgorithmQuality['models'][number]): string {
  return `${visible(model)}: ${signals.map(visible).join(', ')}`;
}

function cellsOf({ decisions, hitAt1, hitAt3, mrr, worked }: RankingQuality): readonly string[] {
  return [count(decisions), percent(hitAt1), percent(hitAt3), mrr.toFixed(3), percent(worked)];
}

function describePlans({ exactly, partly, notAtAll, calibration, bands }: PlanQuality) {
  const { meanConfidence, right } = calibration;
  return [
    `Agents ran ${percent(exactly)} of the plans exactly, ${percent(partly)} in part, ${percent(notAtAll)} not at all.`,
    `PML was ${percent(meanConfidence)} sure on average, and ${percent(right)} of the plans were right: ${judge(meanConfidence - right)}.`,
    '',
    ...table([
      ['sure', 'plans', 'on average', 'right'].map(heading),
      ...bands.map((band) => [
        `${band.from.toFixed(2)} to ${band.to.toFixed(2)}`,
        count(band.plans),
        percent(band.meanConfidence),
        percent(band.right),
      ]),
    ]).split('\n'),
  ];
}

/** Ten points are more than a plan or two of twenty. */
const OFF_BY = 0.1;

function judge(tooSure: number): string {
  if (Math.abs(tooSure) <= OFF_BY) return 'well calibrated';
  return tooSure > 0 ? 'overconfident' : 'underconfident';
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;
