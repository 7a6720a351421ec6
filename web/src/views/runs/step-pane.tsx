import type { ComponentChildren } from 'preact';

import type { AttemptSpan, RunTaskInfo } from '../../../../src/control/contract/runs.js';
import { StatusBadge } from '../../parts/badge.js';
import { Raw } from '../../parts/code.js';
import { DecisionButtons, decisionsFor } from '../../parts/decide.js';
import { FilledList } from '../../parts/filled-list.js';
import { JsonText } from '../../parts/json-view.js';
import { Card } from '../../parts/page.js';
import { Empty } from '../../parts/states.js';
import { ToolName } from '../../parts/tool-name.js';
import { formatMs } from '../../pure/format.js';
import { linkTo } from '../../router.js';

/** One task: what it was given and why, what it gave, how often it was tried. */
export function StepPane({
  run,
  task,
}: {
  readonly run: string;
  readonly task: RunTaskInfo | undefined;
}) {
  if (!task) {
    return (
      <Card title="Step" isFlush>
        <Empty title="No step is selected">
          <p>Select a task to see its arguments, result and attempts.</p>
        </Empty>
      </Card>
    );
  }
  return (
    <Card title={`Step ${task.id}`} aside={<StatusBadge status={task.status} />}>
      <StepFacts run={run} task={task} />
      <DecisionButtons run={run} tasks={[task.id]} decisions={decisionsFor(task.status)} />
      <Part title="Arguments">
        <JsonText text={task.args} label="Arguments" />
      </Part>
      {task.filled && task.filled.length > 0 && (
        <Part title="Filled in by PML">
          <FilledList filled={task.filled} />
        </Part>
      )}
      {task.error && (
        <Part title={`Error ${task.error.code}`}>
          <Raw text={task.error.message} label="Error" />
        </Part>
      )}
      {task.result !== undefined && (
        <Part title="Result">
          <JsonText text={task.result} label="Result" />
        </Part>
      )}
      <Attempts spans={task.spans ?? []} />
      <Script task={task} />
    </Card>
  );
}

function Part({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="stack tight">
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function StepFacts({ run, task }: { readonly run: string; readonly task: RunTaskInfo }) {
  const { tool, needs, because, progress, startMs, ms } = task;
  return (
    <dl class="facts">
      <dt>Tool</dt>
      <dd>
        <ToolName id={tool} />
      </dd>
      {startMs !== undefined && (
        <>
          <dt>Time</dt>
          <dd>
            {formatMs(ms)}, began after {formatMs(startMs)}
          </dd>
        </>
      )}
      {needs.length > 0 && (
        <>
          <dt>Needs</dt>
          <dd class="row wrap-row">
            {needs.map((need) => (
              <a key={need} href={linkTo(['runs', run], { step: need })}>
                {need}
              </a>
            ))}
          </dd>
        </>
      )}
      {because && (
        <>
          <dt>Because</dt>
          <dd>{because}</dd>
        </>
      )}
      {progress && (
        <>
          <dt>Progress</dt>
          <dd>{progress}</dd>
        </>
      )}
    </dl>
  );
}

function Attempts({ spans }: { readonly spans: readonly AttemptSpan[] }) {
  if (spans.length === 0) return null;
  return (
    <Part title="Attempts">
      <ol class="stack tight">
        {spans.map(({ startMs, ms, outcome, error }, place) => (
          <li key={place} class="row wrap-row">
            <StatusBadge status={outcome} />
            <span class="small">
              after {formatMs(startMs)}, {ms === undefined ? 'still running' : formatMs(ms)}
            </span>
            {error && <span class="small bad-text wrap">{error}</span>}
          </li>
        ))}
      </ol>
    </Part>
  );
}

function Script({ task: { script } }: { readonly task: RunTaskInfo }) {
  if (!script || (script.logs.length === 0 && script.operations.length === 0)) return null;
  return (
    <Part title="Code">
      {script.operations.length > 0 && (
        <p class="small wrap">
          {script.operations
            .map(
              ({ operation, line, times }) =>
                `${operation} (line ${line}${times > 1 ? `, ×${times}` : ''})`,
            )
            .join(', ')}
        </p>
      )}
      {script.logs.length > 0 && (
        <Raw text={script.logs.join('\n')} label="What the code printed" />
      )}
    </Part>
  );
}
