import type { RunInfo } from '../../../../src/control/contract/runs.js';
import { StatusBadge } from '../../parts/badge.js';
import { Card } from '../../parts/page.js';
import { Empty } from '../../parts/states.js';
import { Ago } from '../../parts/time.js';
import { formatMs } from '../../pure/format.js';
import { linkTo } from '../../router.js';

const SHOWN_RUNS = 6;
const OPEN = new Set<RunInfo['status']>(['running', 'needs_approval', 'needs_decision']);

/** Open runs first, then the last ones. */
export function RunsNow({ runs }: { readonly runs: readonly RunInfo[] }) {
  const open = runs.filter(({ status }) => OPEN.has(status));
  const others = runs.filter(({ status }) => !OPEN.has(status));
  const shown = [...open, ...others].slice(0, SHOWN_RUNS);
  return (
    <Card title="Runs" isFlush aside={<a href={linkTo(['runs'])}>All runs</a>}>
      {shown.length === 0 ? (
        <Empty title="No runs yet">
          <p>A run appears here as soon as an agent starts a workflow.</p>
        </Empty>
      ) : (
        <ul class="list">
          {shown.map((run) => (
            <li key={run.run}>
              <a class="list-row" href={linkTo(['runs', run.run])}>
                <StatusBadge status={run.status} />
                <span class="cut">{run.intent ?? run.run}</span>
                <span class="push small muted nowrap">
                  {formatMs(run.ms)} · <Ago at={run.startedAt} />
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
