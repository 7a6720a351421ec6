import type { SpeculationMetrics, ThresholdMetrics } from '../../control/index.js';
import { visible } from '../../core/visible-text.js';
import { formatMs, localTime } from '../print/format-time.js';
import { count, heading } from '../print/print.js';
import { table } from '../print/table.js';

type Figures = SpeculationMetrics['rungs'][number] | SpeculationMetrics['clients'][number];

const RUNGS = {
  warm: 'servers started',
  offer: 'next steps offered',
  speculate: 'calls made ahead',
};
const COLUMNS = [
  'predictions',
  'exact',
  'tool',
  'done',
  'useful',
  'unused',
  'missed',
  'saved',
  'wasted',
];

/** What PML did before it was asked, and its outcome, for a terminal. */
export function describeSpeculation(metrics: SpeculationMetrics): readonly string[] {
  const { predictions, from } = metrics;
  if (predictions === 0 || from === undefined) {
    return ['PML has made no prediction yet.', ...describeThresholds(metrics)];
  }
  return [
    heading(`What PML foresaw: ${count(predictions)} predictions since ${localTime(from)}`),
    ...figureTable(metrics.rungs, (one) => ('rung' in one ? RUNGS[one.rung] : '')),
    '',
    'exact: the client made just that call. tool: it called that tool. done: PML acted on it.',
    'missed: PML was not sure enough, and it would have been useful.',
    '',
    heading('By client'),
    ...figureTable(metrics.clients, (one) => ('client' in one ? visible(one.client) : '')),
    ...describeExtra(metrics),
    ...describeThresholds(metrics),
    '',
    heading('Past episodes'),
    describeEpisodes(metrics),
  ];
}

function figureTable(
  figures: readonly Figures[],
  nameOf: (one: Figures) => string,
): readonly string[] {
  const rows = figures.map((one) => [
    nameOf(one),
    ...[one.predictions, one.exact, one.tool, one.done, one.served, one.wasted, one.missed].map(
      count,
    ),
    formatMs(one.savedMs),
    formatMs(one.wastedMs),
  ]);
  return table([['', ...COLUMNS].map(heading), ...rows]).split('\n');
}

function describeExtra({ extraCalls }: SpeculationMetrics): readonly string[] {
  if (extraCalls.length === 0) return [];
  const rows = extraCalls.map(({ server, calls }) => [visible(server), count(calls)]);
  return ['', heading('Unused calls, by server'), ...table(rows).split('\n')];
}

function describeThresholds({ thresholds }: SpeculationMetrics): readonly string[] {
  if (thresholds.length === 0) return [];
  const head = ['', 'tools', 'must reach', 'useful', 'unused', 'missed', 'before', 'why'];
  return [
    '',
    heading('How sure PML must be'),
    ...table([head.map(heading), ...thresholds.map(thresholdCells)]).split('\n'),
  ];
}

function thresholdCells(one: ThresholdMetrics): readonly string[] {
  const { rung, kind, value, isOff, figures, history, outcomes, why } = one;
  const before = history
    .slice(-4, -1)
    .map((past) => (past.value > 1 ? 'off' : past.value.toFixed(2)));
  return [
    RUNGS[rung],
    visible(kind),
    isOff ? 'off' : value.toFixed(2),
    `${count(figures.served)} of ${count(figures.done)}`,
    count(figures.wasted),
    count(figures.missed),
    before.join(', '),
    `${visible(why)} (${outcomes} outcomes count)`,
  ];
}

function describeEpisodes({ episodes: { inUse, gate } }: SpeculationMetrics): string {
  return inUse
    ? `correct predictions: ${visible(gate.why)}`
    : `do not change predictions: ${visible(gate.why)}`;
}
