import type { SpeculationMetrics } from '../../../../src/control/contract/speculation.js';
import { daemonStatus } from '../../live.js';
import { Empty } from '../../parts/states.js';
import { type Column, DataTable } from '../../parts/table.js';
import { formatCount, formatMs } from '../../pure/format.js';

type RungRow = SpeculationMetrics['rungs'][number];

const DONE: Readonly<Record<RungRow['rung'], string>> = {
  warm: 'Started servers',
  offer: 'Offered next steps',
  speculate: 'Made calls',
};

const COLUMNS: readonly Column<RungRow>[] = [
  { title: 'What PML did', cell: ({ rung }) => <span class="strong">{DONE[rung]}</span> },
  { title: 'Predictions', isNumber: true, cell: (row) => formatCount(row.predictions) },
  { title: 'Acted on', isNumber: true, cell: (row) => formatCount(row.done) },
  { title: 'Useful', isNumber: true, cell: (row) => formatCount(row.served) },
  { title: 'Unused', isNumber: true, cell: (row) => formatCount(row.wasted) },
  { title: 'Saved', isNumber: true, cell: (row) => formatMs(row.savedMs) },
];

/** What PML did before an agent asked for it, and its outcome. */
export function AheadTable({ metrics }: { readonly metrics: SpeculationMetrics }) {
  const warm = daemonStatus.value?.speculation?.warm;
  const off = metrics.thresholds.filter(({ isOff }) => isOff);
  return (
    <>
      <DataTable
        label="What PML did before it was asked"
        columns={COLUMNS}
        rows={metrics.rungs}
        keyOf={({ rung }) => rung}
        empty={
          <Empty title="No prediction yet">
            <p>PML foresees calls once agents have made some.</p>
          </Empty>
        }
      />
      {warm && warm.started > 0 && (
        <p class="card-note">
          {formatCount(warm.started)} servers started ahead, {formatCount(warm.used)} of them used,{' '}
          {formatMs(warm.savedMs)} saved.
        </p>
      )}
      {off.map(({ rung, kind, why }) => (
        <p key={`${rung} ${kind}`} class="card-note">
          Off for {kind} tools ({DONE[rung].toLowerCase()}): {why}
        </p>
      ))}
    </>
  );
}
