import type { AlgorithmQuality, RankingMetrics } from '../../../../src/control/contract/metrics.js';
import { Tag } from '../../parts/badge.js';
import { Empty } from '../../parts/states.js';
import { type Column, DataTable } from '../../parts/table.js';
import { formatShare } from '../../pure/format.js';

const COLUMNS: readonly Column<AlgorithmQuality>[] = [
  { title: 'Decision', cell: ({ algorithm }) => <span class="strong">{algorithm}</span> },
  { title: 'Count', isNumber: true, cell: ({ decisions }) => decisions },
  { title: 'Hit@1', isNumber: true, cell: ({ hitAt1 }) => formatShare(hitAt1) },
  { title: 'Hit@3', isNumber: true, cell: ({ hitAt3 }) => formatShare(hitAt3) },
  { title: 'MRR', isNumber: true, cell: ({ mrr }) => mrr.toFixed(2) },
  { title: 'Worked', isNumber: true, cell: ({ worked }) => formatShare(worked) },
  {
    title: 'Plans taken exactly',
    isNumber: true,
    cell: ({ plans }) => {
      if (!plans) return '–';
      const all = plans.exactly + plans.partly + plans.notAtAll;
      return `${plans.exactly} of ${all}`;
    },
  },
  {
    title: 'Enough to tell',
    cell: ({ isEnough }) => (
      <Tag text={isEnough ? 'yes' : 'not yet'} tone={isEnough ? 'ok' : 'idle'} />
    ),
  },
];

export function RankingTable({ metrics }: { readonly metrics: RankingMetrics }) {
  return (
    <DataTable
      label="Quality of decisions"
      columns={COLUMNS}
      rows={metrics.algorithms}
      keyOf={({ algorithm }) => algorithm}
      empty={
        <Empty title="No decisions yet">
          <p>PML counts a decision when an agent calls a tool after a search or a plan.</p>
        </Empty>
      }
    />
  );
}
