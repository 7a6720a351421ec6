import { useState } from 'preact/hooks';

import type { RunTaskInfo } from '../../../../src/control/contract/runs.js';
import { toneOf } from '../../parts/badge.js';
import { Card } from '../../parts/page.js';
import { Empty } from '../../parts/states.js';
import { VirtualList } from '../../parts/virtual-list.js';
import { formatMs, plural, splitTool } from '../../pure/format.js';
import { axisTicks, type Segment, type WaterfallRow, waterfallRows } from '../../pure/waterfall.js';
import { linkTo, route } from '../../router.js';

interface WaterfallProps {
  readonly run: string;
  readonly tasks: readonly RunTaskInfo[];
  /** The length of the time axis. */
  readonly totalMs: number;
  /** Where the run is; a task that runs reaches to it. */
  readonly nowMs: number;
  readonly openId: string | undefined;
}

const ROW_HEIGHT = 32;
/** A later one would have no room for its text. */
const LAST_TICK = 0.88;

/** Queue, run and retry time of every task; what its code called is below it. */
export function Waterfall({ run, tasks, totalMs, nowMs, openId }: WaterfallProps) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const rows = waterfallRows(tasks, { folded, runMs: nowMs });
  const total = Math.max(
    1,
    totalMs,
    ...rows.flatMap(({ segments }) => segments.map(({ to }) => to)),
  );
  const toggle = (id: string) => {
    const next = new Set(folded);
    if (!next.delete(id)) next.add(id);
    setFolded(next);
  };
  return (
    <Card title="Waterfall" isFlush aside={<WaterfallLegend />}>
      {rows.length === 0 ? (
        <Empty title="No tasks yet" />
      ) : (
        <>
          <Axis total={total} />
          <VirtualList
            label={`Waterfall, ${plural(rows.length, 'task')}`}
            rows={rows}
            rowHeight={ROW_HEIGHT}
            keyOf={({ task }) => task.id}
            draw={(row) => (
              <Row
                row={row}
                run={run}
                total={total}
                isOpen={row.task.id === openId}
                toggle={toggle}
              />
            )}
          />
        </>
      )}
    </Card>
  );
}

function WaterfallLegend() {
  const kinds = [
    ['queue', 'queued'],
    ['run', 'running'],
    ['pause', 'pause'],
    ['bad', 'failed'],
  ] as const;
  return (
    <span class="row wrap-row small muted">
      {kinds.map(([kind, text]) => (
        <span key={kind} class="row legend">
          <span class={`swatch ${kind}`} aria-hidden="true" />
          {text}
        </span>
      ))}
    </span>
  );
}

function Axis({ total }: { readonly total: number }) {
  return (
    <div class="wf-row wf-axis" aria-hidden="true">
      <span />
      <div class="wf-track">
        {axisTicks(total)
          .filter((at) => at <= total * LAST_TICK)
          .map((at) => (
            <span key={at} style={{ left: `${(at / total) * 100}%` }}>
              {at === 0 ? '0' : formatMs(at)}
            </span>
          ))}
      </div>
      <span />
    </div>
  );
}

interface RowProps {
  readonly row: WaterfallRow;
  readonly run: string;
  readonly total: number;
  readonly isOpen: boolean;
  readonly toggle: (id: string) => void;
}

function Row({ row, run, total, isOpen, toggle }: RowProps) {
  const { task, depth, inside, isFolded, segments } = row;
  const { query } = route.value;
  return (
    <div class={`wf-row${isOpen ? ' is-open' : ''}`}>
      <span class="wf-name" style={{ paddingLeft: `${depth * 16}px` }}>
        {inside > 0 ? (
          <button
            type="button"
            class="wf-fold quiet"
            aria-expanded={!isFolded}
            aria-label={`${plural(inside, 'call')} inside ${task.id}`}
            onClick={() => toggle(task.id)}
          >
            {isFolded ? '▸' : '▾'}
          </button>
        ) : (
          <span class="wf-fold" />
        )}
        <span class={`dot ${toneOf(task.status)}`} aria-hidden="true" />
        <a
          class="cut"
          href={linkTo(['runs', run], { ...query, step: task.id })}
          title={`${task.tool}, ${task.id}`}
          {...(isOpen && { 'aria-current': 'true' as const })}
        >
          {splitTool(task.tool).name}
          <span class="hidden-text">
            , task {task.id}, {task.status}
          </span>
        </a>
        {task.attempts > 1 && <span class="small muted nowrap">×{task.attempts}</span>}
      </span>
      <div class="wf-track">
        {segments.map((segment, place) => (
          <Bar key={place} segment={segment} total={total} />
        ))}
      </div>
      <span class="wf-time small muted num">{formatMs(task.ms)}</span>
    </div>
  );
}

function Bar({ segment, total }: { readonly segment: Segment; readonly total: number }) {
  const { kind, from, to, title } = segment;
  const text = `${title}, ${formatMs(to - from)}`;
  return (
    <span
      class={`wf-bar ${kind}`}
      title={text}
      style={{ left: `${(from / total) * 100}%`, width: `${((to - from) / total) * 100}%` }}
    />
  );
}
