import type { PlanExplanation } from '../../../../src/control/contract/explain.js';
import { Tag } from '../../parts/badge.js';
import { Card, Figures } from '../../parts/page.js';
import { ShareBars } from '../../parts/share-bars.js';
import { Empty } from '../../parts/states.js';
import { ToolName } from '../../parts/tool-name.js';
import { formatShare } from '../../pure/format.js';
import { signalLabel } from '../../pure/signal-labels.js';
import { Evidence } from './evidence.js';

type PlannedTask = PlanExplanation['tasks'][number];

const MODES: Readonly<Record<PlanExplanation['mode'], string>> = {
  explicit_required: 'the agent gives the tasks',
  suggestion: 'a suggestion',
  speculative_execution: 'sure enough to start early',
};

/** The plan for an intent and everything it is based on. */
export function PlanPart({ plan }: { readonly plan: PlanExplanation }) {
  return (
    <>
      <Figures
        items={[
          {
            name: 'Confidence',
            value: formatShare(plan.confidence),
            note: 'that tools and values are right',
          },
          {
            name: 'Tools',
            value: formatShare(plan.toolConfidence),
            note: `threshold ${formatShare(plan.threshold)}`,
          },
          { name: 'Answer', value: <span class="mode">{MODES[plan.mode]}</span> },
          {
            name: 'Tasks',
            value: plan.tasks.length,
            note: plan.isReady ? 'ready to run' : 'not ready to run',
          },
          { name: 'Past runs', value: plan.runs.length, note: 'support it' },
        ]}
      />
      <Card title="Plan">
        {plan.tasks.length === 0 ? (
          <Empty title="PML would not plan this">
            <p>Nothing it knows fits well enough.</p>
          </Empty>
        ) : (
          <ol class="stack">
            {plan.tasks.map((task) => (
              <TaskPart key={task.id} task={task} />
            ))}
          </ol>
        )}
      </Card>
      <Evidence plan={plan} />
    </>
  );
}

function TaskPart({ task }: { readonly task: PlannedTask }) {
  const { id, tool, layer, needs, score, signals, heads = [], args, holes } = task;
  return (
    <li class="candidate stack tight">
      <div class="row wrap-row">
        <Tag text={`step ${layer + 1}`} />
        <ToolName id={tool} />
        <span class="small muted">
          {id}
          {needs.length > 0 && `, needs ${needs.join(', ')}`}
        </span>
        <span class="strong push">{formatShare(score)} wanted</span>
      </div>
      <ShareBars
        bars={signals.map(({ signal, value, share }) => ({
          name: signalLabel(signal),
          share,
          detail: value.toFixed(2),
        }))}
      />
      {heads.map(({ head, because }) => (
        <p key={head} class="small muted">
          because {because}
        </p>
      ))}
      {(args.length > 0 || holes.length > 0) && (
        <dl class="facts">
          {args.map(({ param, value, from, score: sure, because }) => (
            <Argument
              key={param}
              param={param}
              value={from === undefined ? JSON.stringify(value) : `from ${from}`}
              because={`${formatShare(sure)}, ${because}`}
            />
          ))}
          {holes.map(({ param, type, hint }) => (
            <Argument
              key={param}
              param={param}
              value={`missing (${type})`}
              because={hint ?? 'the agent must give it'}
            />
          ))}
        </dl>
      )}
    </li>
  );
}

function Argument({
  param,
  value,
  because,
}: {
  readonly param: string;
  readonly value: string;
  readonly because: string;
}) {
  return (
    <>
      <dt>
        <code>{param}</code>
      </dt>
      <dd>
        <code>{value}</code> <span class="small muted">{because}</span>
      </dd>
    </>
  );
}
