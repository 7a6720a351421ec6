import type { GateRow, LearnedPart } from '../../../../src/control/contract/reliability.js';
import { Tag } from '../../parts/badge.js';
import { Card } from '../../parts/page.js';
import { Empty } from '../../parts/states.js';
import { type Column, DataTable } from '../../parts/table.js';

const GATES: readonly Column<GateRow>[] = [
  { title: 'Candidate', cell: ({ name }) => name },
  {
    title: 'Gate',
    cell: ({ isBetter }) => (
      <Tag text={isBetter ? 'open' : 'closed'} tone={isBetter ? 'ok' : 'idle'} />
    ),
  },
  { title: 'Gain', isNumber: true, cell: ({ gain }) => signed(gain) },
  {
    title: 'Error',
    isNumber: true,
    cell: ({ error }) => (error === undefined ? '–' : `±${error.toFixed(3)}`),
  },
  { title: 'Answers', isNumber: true, cell: ({ answers }) => answers },
  { title: 'Groups', isNumber: true, cell: ({ groups }) => groups },
  { title: 'Why', cell: ({ why }) => <span title={why}>{why}</span> },
];

function signed(value: number): string {
  return `${value >= 0 ? '+' : '−'}${Math.abs(value).toFixed(3)}`;
}

/** Each thing that PML can learn, with the gates that decide about it. */
export function Parts({ parts }: { readonly parts: readonly LearnedPart[] }) {
  if (parts.length === 0) return <Empty title="Nothing is learned yet" />;
  return (
    <Card title="What is learned" isFlush>
      <ul class="list">
        {parts.map(({ part, inUse, why, gates }) => (
          <li key={part}>
            <p class="list-row part-row">
              <span class="strong part-name">{part}</span>
              <Tag text={`uses ${inUse}`} tone="info" />
              <span class="muted wrap">{why}</span>
            </p>
            {gates.length > 0 && (
              <DataTable
                label={`Gates of ${part}`}
                columns={GATES}
                rows={gates}
                keyOf={({ name }) => name}
              />
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
