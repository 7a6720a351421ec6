import type { RunTaskInfo } from '../../../../src/control/contract/runs.js';
import { toneOf } from '../../parts/badge.js';
import { Card } from '../../parts/page.js';
import { Empty } from '../../parts/states.js';
import { withOrder } from '../../pure/call-order.js';
import { plural, splitTool } from '../../pure/format.js';
import { placeDag, type PlacedTask } from '../../pure/place-dag.js';
import { linkTo, route } from '../../router.js';

const MOST_TASKS = 250;
const WIDTH = 168;
const HEIGHT = 34;
const GAP_X = 48;
const GAP_Y = 14;
const MARGIN = 12;
const SHOWN_CHARACTERS = 18;

interface DagProps {
  readonly run: string;
  readonly tasks: readonly RunTaskInfo[];
  readonly openId: string | undefined;
}

/** What needs what, with the state of every task. */
export function RunDag({ run, tasks, openId }: DagProps) {
  return (
    <Card
      title="Plan"
      isFlush
      aside={<span class="small muted">{plural(tasks.length, 'task')}</span>}
    >
      {tasks.length === 0 ? (
        <Empty title="No tasks yet" />
      ) : tasks.length > MOST_TASKS ? (
        <Empty title={`Too many tasks to draw (${tasks.length})`}>
          <p>The waterfall lists all of them.</p>
        </Empty>
      ) : (
        <Drawing run={run} tasks={tasks} openId={openId} />
      )}
    </Card>
  );
}

const leftOf = ({ layer }: PlacedTask) => MARGIN + layer * (WIDTH + GAP_X);
const topOf = ({ row }: PlacedTask) => MARGIN + row * (HEIGHT + GAP_Y);

function Drawing({ run, tasks, openId }: DagProps) {
  const dag = placeDag(withOrder(tasks));
  const places = new Map(dag.tasks.map((one) => [one.id, one]));
  const width = 2 * MARGIN + dag.layers * WIDTH + (dag.layers - 1) * GAP_X;
  const height = 2 * MARGIN + dag.rows * HEIGHT + (dag.rows - 1) * GAP_Y;
  return (
    <div class="dag" tabIndex={0} role="region" aria-label="Plan of the run as a graph">
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        {dag.edges.map(({ from, to, kind }) => (
          <path
            key={`${from} ${to} ${kind}`}
            class={`dag-edge ${kind}`}
            d={edgePath(places.get(from)!, places.get(to)!)}
          />
        ))}
        {tasks.map((task) => (
          <Node
            key={task.id}
            run={run}
            task={task}
            place={places.get(task.id)!}
            isOpen={task.id === openId}
          />
        ))}
      </svg>
    </div>
  );
}

function edgePath(from: PlacedTask, to: PlacedTask): string {
  const x1 = leftOf(from) + WIDTH;
  const y1 = topOf(from) + HEIGHT / 2;
  const x2 = leftOf(to);
  const y2 = topOf(to) + HEIGHT / 2;
  const bend = Math.max(16, (x2 - x1) / 2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

function Node({
  run,
  task,
  place,
  isOpen,
}: {
  readonly run: string;
  readonly task: RunTaskInfo;
  readonly place: PlacedTask;
  readonly isOpen: boolean;
}) {
  const { name } = splitTool(task.tool);
  const shown = name.length > SHOWN_CHARACTERS ? `${name.slice(0, SHOWN_CHARACTERS - 1)}…` : name;
  const x = leftOf(place);
  const y = topOf(place);
  return (
    <a
      href={linkTo(['runs', run], { ...route.value.query, step: task.id })}
      class={`dag-node ${toneOf(task.status)} ${task.status}${isOpen ? ' is-open' : ''}`}
      aria-label={`${task.tool}, task ${task.id}, ${task.status}`}
    >
      <title>{`${task.tool} (${task.id}): ${task.status}`}</title>
      <rect x={x} y={y} width={WIDTH} height={HEIGHT} rx={6} />
      <circle cx={x + 14} cy={y + HEIGHT / 2} r={4} />
      <text x={x + 26} y={y + HEIGHT / 2 + 4}>
        {shown}
      </text>
    </a>
  );
}
