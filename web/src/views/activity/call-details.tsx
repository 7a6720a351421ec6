import type { ActivityDetails, RawMessage } from '../../../../src/control/contract/activity.js';
import { ask } from '../../api.js';
import { StatusBadge } from '../../parts/badge.js';
import { JsonText } from '../../parts/json-view.js';
import { Card } from '../../parts/page.js';
import { Loaded } from '../../parts/states.js';
import { Clock } from '../../parts/time.js';
import { ToolName } from '../../parts/tool-name.js';
import { formatBytes, formatMs } from '../../pure/format.js';
import { linkTo, route } from '../../router.js';
import { useQuery } from '../../use-query.js';

/** One call with its raw request and response, as far as the daemon keeps them. */
export function CallDetails({ id }: { readonly id: string }) {
  const query = useQuery((signal) => ask('activity-show', { id }, signal), id);
  return (
    <Card
      title={`Call ${id}`}
      aside={
        <a class="button small" href={linkTo(['activity'], route.value.query)}>
          Close
        </a>
      }
    >
      <Loaded query={query}>{(call) => <Details call={call} />}</Loaded>
    </Card>
  );
}

function Details({ call }: { readonly call: ActivityDetails }) {
  return (
    <>
      <dl class="facts">
        <dt>Tool</dt>
        <dd>
          <ToolName id={call.tool} />
        </dd>
        <dt>Outcome</dt>
        <dd>
          <StatusBadge status={call.outcome} />
        </dd>
        <dt>Client</dt>
        <dd>{call.client}</dd>
        <dt>Began</dt>
        <dd>
          <Clock at={call.at} />, took {formatMs(call.ms)}
        </dd>
        {call.run && (
          <>
            <dt>Run</dt>
            <dd>
              <a href={linkTo(['runs', call.run], { step: call.task })}>{call.run}</a>
            </dd>
          </>
        )}
        {call.error && (
          <>
            <dt>Error</dt>
            <dd class="bad-text">{call.error}</dd>
          </>
        )}
      </dl>
      <Message title="Request" message={call.request} bytes={call.requestBytes} />
      <Message title="Response" message={call.response} bytes={call.responseBytes} />
    </>
  );
}

interface MessageProps {
  readonly title: string;
  readonly message: RawMessage | undefined;
  readonly bytes: number;
}

function Message({ title, message, bytes }: MessageProps) {
  return (
    <section class="stack tight">
      <h3>
        {title} <span class="muted small">{formatBytes(bytes)}</span>
      </h3>
      {message ? (
        <>
          <JsonText text={message.text} label={title} />
          {message.isCut && (
            <p class="small muted">PML keeps only the beginning of this message.</p>
          )}
        </>
      ) : (
        <p class="small muted">Not kept.</p>
      )}
    </section>
  );
}
