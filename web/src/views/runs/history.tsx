import type { ReplayedEvent, RunDetails } from '../../../../src/control/contract/runs.js';
import { Raw } from '../../parts/code.js';
import { Card } from '../../parts/page.js';
import { Empty, Loaded } from '../../parts/states.js';
import { type Column, DataTable } from '../../parts/table.js';
import { formatMs, plural } from '../../pure/format.js';
import { linkTo, route } from '../../router.js';
import { useQuery } from '../../use-query.js';
import { readEvents } from './use-run.js';

/** Decisions, messages, what the script printed, and every event. */
export function History({ details }: { readonly details: RunDetails }) {
  const { run, script } = details;
  const events = useQuery((signal) => readEvents(run, signal), run, details.ms);
  return (
    <>
      <div class="grid-2">
        <Decisions details={details} />
        <Messages details={details} />
      </div>
      {script && script.logs.length > 0 && (
        <Card title="Output of the script">
          <Raw text={script.logs.join('\n')} label="Output of the script" />
        </Card>
      )}
      <Loaded query={events}>
        {(list) => (
          <Card title={plural(list.length, 'event')} isFlush>
            <DataTable
              label="Events of the run"
              columns={COLUMNS}
              rows={list}
              keyOf={({ place }) => String(place)}
            />
          </Card>
        )}
      </Loaded>
    </>
  );
}

const COLUMNS: readonly Column<ReplayedEvent>[] = [
  {
    title: 'Event',
    cell: ({ place, type }) => (
      <a href={linkTo(route.value.path, { at: String(place + 1) })}>{type}</a>
    ),
  },
  { title: 'After', isNumber: true, cell: ({ atMs }) => formatMs(atMs) },
  { title: 'Task', cell: ({ task }) => <code>{task ?? ''}</code> },
  { title: 'Text', cell: ({ text }) => <span title={text}>{text ?? ''}</span> },
];

function Decisions({ details: { decisions } }: { readonly details: RunDetails }) {
  return (
    <Card title="Decisions" isFlush>
      {decisions.length === 0 ? (
        <Empty title="No decisions" />
      ) : (
        <ul class="list">
          {decisions.map(({ atMs, by, kind, tasks }, place) => (
            <li key={place} class="list-row">
              <span class="strong">{kind}</span>
              <span class="cut muted">{tasks.join(', ')}</span>
              <span class="push small muted nowrap">
                by {by === 'human' || by === 'user' ? 'a person' : by}, after {formatMs(atMs)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Messages({ details: { messages } }: { readonly details: RunDetails }) {
  return (
    <Card title="Messages" isFlush>
      {messages.length === 0 ? (
        <Empty title="No messages" />
      ) : (
        <ul class="list">
          {messages.map(({ atMs, text, by }, place) => (
            <li key={place} class="list-row">
              <span class="wrap">{text}</span>
              <span class="push small muted nowrap">
                {by ?? 'PML'}, after {formatMs(atMs)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
