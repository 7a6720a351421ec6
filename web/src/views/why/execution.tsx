import type { ExecutionExplanation } from '../../../../src/control/contract/explain.js';
import { StatusBadge, Tag } from '../../parts/badge.js';
import { Card } from '../../parts/page.js';
import { Empty } from '../../parts/states.js';
import { Ago } from '../../parts/time.js';
import { ToolName } from '../../parts/tool-name.js';
import { formatMs, formatShare } from '../../pure/format.js';
import { linkTo } from '../../router.js';

/** What a past run came from, did, and taught. */
export function ExecutionPart({ execution }: { readonly execution: ExecutionExplanation }) {
  const { id, intent, at, ok, ms, edges, similar, next } = execution;
  return (
    <>
      <p class="row wrap-row">
        <StatusBadge status={ok ? 'completed' : 'failed'} />
        <a class="strong wrap" href={linkTo(['runs', id])}>
          {intent || id}
        </a>
        <span class="muted small">
          {formatMs(ms)}, <Ago at={at} />
        </span>
      </p>
      <Decisions execution={execution} />
      <div class="grid-2">
        <Calls execution={execution} />
        <Rows
          title="What it taught the graph"
          empty="It taught the graph nothing"
          rows={edges.map(({ from, to, type, worked, weight, observed }) => ({
            text: `${from} → ${to}`,
            aside: `${type}, ${worked ? 'worked' : 'failed'}, weight ${weight.toFixed(2)}, seen ${observed}×`,
          }))}
        />
        <Rows
          title="Similar runs"
          empty="No similar runs"
          rows={similar.map((one) => ({
            text: one.intent || one.id,
            aside: formatShare(one.share),
            href: linkTo(['why'], { q: one.id }),
          }))}
        />
        <Rows
          title="Likely next"
          empty="Nothing is likely to follow"
          rows={next.map(({ tool, probability }) => ({
            text: tool,
            aside: formatShare(probability),
          }))}
        />
      </div>
    </>
  );
}

function Decisions({ execution: { from } }: { readonly execution: ExecutionExplanation }) {
  return (
    <Card title="Decisions that led to it" isFlush>
      {from.length === 0 ? (
        <Empty title="No decision of PML led to it">
          <p>The agent named the tools itself.</p>
        </Empty>
      ) : (
        <ul class="list">
          {from.map(({ algorithm, at, intent, tool, place, candidates }, index) => (
            <li key={index} class="card-body stack tight">
              <p class="row wrap-row">
                <Tag text={algorithm} tone="info" />
                <span class="wrap">{intent}</span>
                <span class="small muted">
                  <Ago at={at} />
                </span>
              </p>
              <p class="small">
                Called <ToolName id={tool} />,{' '}
                {place === 0 ? 'not among the candidates' : `candidate ${place}`}
              </p>
              <ul class="stack tight">
                {candidates.map((candidate) => (
                  <li key={candidate.tool} class="row">
                    <ToolName id={candidate.tool} />
                    <span class="bar candidate-bar" aria-hidden="true">
                      <span style={{ width: `${candidate.score * 100}%` }} />
                    </span>
                    <span class="small">{formatShare(candidate.score)}</span>
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Calls({ execution: { calls, flows } }: { readonly execution: ExecutionExplanation }) {
  return (
    <Card title="Calls and values" isFlush>
      <ol class="list">
        {calls.map(({ tool, ok, ms, depth }, place) => (
          <li key={place} class="list-row wrap-row">
            <span style={{ paddingLeft: `${depth * 16}px` }}>
              <ToolName id={tool} />
            </span>
            {!ok && <StatusBadge status="failed" />}
            <span class="push small muted wrap">
              {flows
                .filter(({ to }) => to === place)
                .map(
                  ({ from, field, param }) =>
                    `${param ?? 'value'} ← call ${from + 1}${field ? `.${field}` : ''}`,
                )
                .join(', ')}{' '}
              {formatMs(ms)}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}

interface TextRow {
  readonly text: string;
  readonly aside: string;
  readonly href?: string;
}

function Rows({
  title,
  empty,
  rows,
}: {
  readonly title: string;
  readonly empty: string;
  readonly rows: readonly TextRow[];
}) {
  return (
    <Card title={title} isFlush>
      {rows.length === 0 ? (
        <Empty title={empty} />
      ) : (
        <ul class="list">
          {rows.map(({ text, aside, href }, place) => (
            <li key={place} class="list-row">
              {href === undefined ? (
                <span class="wrap">{text}</span>
              ) : (
                <a class="wrap" href={href}>
                  {text}
                </a>
              )}
              <span class="push small muted">{aside}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
