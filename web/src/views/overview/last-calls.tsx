import { calls } from '../../live.js';
import { StatusBadge } from '../../parts/badge.js';
import { Card } from '../../parts/page.js';
import { Empty } from '../../parts/states.js';
import { Ago } from '../../parts/time.js';
import { ToolName } from '../../parts/tool-name.js';
import { formatMs } from '../../pure/format.js';
import { linkTo } from '../../router.js';

const SHOWN_CALLS = 6;

export function LastCalls() {
  const shown = calls.value.slice(0, SHOWN_CALLS);
  return (
    <Card title="Last calls" isFlush aside={<a href={linkTo(['activity'])}>All calls</a>}>
      {shown.length === 0 ? (
        <Empty title="No calls yet">
          <p>The first call of a client appears here at once.</p>
        </Empty>
      ) : (
        <ul class="list">
          {shown.map(({ id, tool, client, outcome, ms, at }) => (
            <li key={id} class="list-row">
              <StatusBadge status={outcome} />
              <span class="cut">
                <ToolName id={tool} />
              </span>
              <span class="push small muted nowrap">
                {client}, {formatMs(ms)} · <Ago at={at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
