import type {
  ClaimedAndRight,
  GateRow,
  LearnedPart,
  ReliabilityMetrics,
} from '../../control/index.js';
import { visible } from '../../core/visible-text.js';
import { count, heading } from '../print/print.js';
import { table } from '../print/table.js';

const KINDS = {
  discovery: 'first tool of a search',
  plans: 'whole plans',
  bindings: 'single arguments',
};
const SOURCES = {
  replay: 'past requests asked again',
  live: 'what agents did next',
};

/** Whether what PML claims comes true, and what it uses of what it learned, for a terminal. */
export function describeReliability({ claims, parts }: ReliabilityMetrics): readonly string[] {
  return [
    ...describeClaims(claims),
    '',
    heading('What PML uses of what it learned'),
    ...table([
      ['part', 'in use', 'candidate', 'gain', 'error', 'answers', 'groups', ''].map(heading),
      ...parts.flatMap(partRows),
    ]).split('\n'),
  ];
}

function describeClaims(claims: readonly ClaimedAndRight[]): readonly string[] {
  if (claims.length === 0) {
    return [
      'PML cannot tell yet whether its claims come true: no search and no plan was followed by a call.',
    ];
  }
  return [
    heading('How often PML is right when it claims a probability'),
    ...table([
      ['', 'claims', 'claimed', 'right', 'calibration error'].map(heading),
      ...claims.flatMap(claimRows),
    ]).split('\n'),
  ];
}

function claimRows({ kind, source, curve }: ClaimedAndRight): readonly (readonly string[])[] {
  const { bins, count: all, shareRight, calibrationError } = curve;
  const claimed = bins.reduce((sum, bin) => sum + bin.count * bin.meanConfidence, 0) / all;
  const name = `${KINDS[kind]} (${SOURCES[source]})`;
  return [
    [name, count(all), percent(claimed), percent(shareRight), calibrationError.toFixed(3)],
    ...bins.map((bin) => [
      `  ${bin.from.toFixed(1)} to ${bin.to.toFixed(1)}`,
      count(bin.count),
      percent(bin.meanConfidence),
      percent(bin.shareRight),
    ]),
  ];
}

function partRows({ part, inUse, why, gates }: LearnedPart): readonly (readonly string[])[] {
  const own = [visible(part), visible(inUse)];
  if (gates.length === 0) return [[...own, '', '', '', '', '', visible(why)]];
  return gates.map((gate, place) => [...(place === 0 ? own : ['', '']), ...gateCells(gate)]);
}

function gateCells({ name, gain, error, answers, groups, why }: GateRow): readonly string[] {
  return [
    visible(name),
    `${gain < 0 ? '' : '+'}${gain.toFixed(3)}`,
    error === undefined ? 'unknown' : error.toFixed(3),
    count(answers),
    count(groups),
    visible(why),
  ];
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;
