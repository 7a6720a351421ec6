import pc from 'picocolors';

import type { CapabilityRow } from '../../control/index.js';
import { visible } from '../../core/visible-text.js';
import { cutLine } from '../print/cut-line.js';
import { count, heading } from '../print/print.js';
import { table } from '../print/table.js';

const HEADINGS = ['name', 'status', 'uses', 'success', 'reliability', 'version'];
const STATUS_COLUMN = 1;
const MOST_DESCRIPTION = 200;

/** Capabilities, one row each. */
export function describeCapabilityTable(
  rows: readonly CapabilityRow[],
  columns: number,
): readonly string[] {
  const cells = rows.map((row) => [
    ...cellsOf(row).with(STATUS_COLUMN, paintCapability(row)),
    cutLine(visible(row.description), MOST_DESCRIPTION),
  ]);
  return table([[...HEADINGS, 'description'].map(heading), ...cells], columns).split('\n');
}

/** How a capability stands, in the colour of that. */
export function paintCapability(row: CapabilityRow): string {
  const paint = row.status === 'active' ? pc.green : row.status === 'disabled' ? pc.dim : pc.yellow;
  return paint(statusOf(row));
}

export const percent = (share: number): string => `${Math.round(share * 100)} %`;

function cellsOf(row: CapabilityRow): string[] {
  const { name, uses, successes, reliability, version } = row;
  return [
    visible(name),
    statusOf(row),
    count(uses),
    uses === 0 ? '–' : percent(successes / uses),
    percent(reliability),
    String(version),
  ];
}

function statusOf({ status, isPinned, isOffered }: CapabilityRow): string {
  const word = status === 'active' && !isOffered ? 'not offered' : status;
  return isPinned ? `${word}, pinned` : word;
}
