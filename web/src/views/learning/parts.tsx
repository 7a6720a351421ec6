import type { GateRow, LearnedPart } from '../../../../src/control/contract/reliability.js';
import { Tag } from '../../parts/badge.js';
import { Card } from '../../parts/page.js';
import { Empty } from '../../parts/states.js';
import { type Column, DataTable } from '../../parts/table.js';

const NAMES: Readonly<Record<string, string>> = {
  discovery: 'Ranking of search hits',
  members: 'Tools of a plan',
  links: 'Links between steps',
  next: 'Next step',
  confidence: 'Confidence of a plan',
  attention: 'Attention to past runs',
  bindings: 'Values between tasks',
  vectors: 'Vectors of tools',
};
const IN_USE: Readonly<Record<string, string>> = {
  cold: 'words and meaning',
  memory: 'with past requests',
  session: 'with past requests and the session',
  shipped: 'as shipped',
  none: 'not in use',
  off: 'not in use',
};

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
              <span class="strong part-name">{NAMES[part] ?? part}</span>
              <Tag
                text={IN_USE[inUse] ?? inUse}
                tone={inUse === 'none' || inUse === 'off' ? 'idle' : 'info'}
              />
              <span class="muted wrap">{why}</span>
            </p>
            {gates.length > 0 && (
              <DataTable
                label={`Gates of ${NAMES[part] ?? part}`}
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
