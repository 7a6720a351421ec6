/** The calls in their order, `tool#n`: parallel ones side by side, repeats marked. */
import { useState } from 'preact/hooks';

import { StatusBadge, toneOf } from '../../parts/badge.js';
import { Card } from '../../parts/page.js';
import { Empty } from '../../parts/states.js';
import {
  type SequencedCall,
  type SequenceNode,
  sequenceOf,
  type SequenceStep,
} from '../../pure/call-sequence.js';
import { formatMs, plural, splitTool } from '../../pure/format.js';
import { linkTo, route } from '../../router.js';

const PORTION = 200;

interface SequenceProps {
  readonly calls: readonly SequencedCall[];
  readonly openId?: string | undefined;
  /** Calls of a run open beside the sequence. */
  readonly run?: string;
}

export function CallSequence({ calls, openId, run }: SequenceProps) {
  const [shown, setShown] = useState(PORTION);
  const steps = sequenceOf(calls);
  const parallel = steps.filter((step) => step.calls.length > 1).length;
  return (
    <Card
      title={plural(calls.length, 'call')}
      aside={
        <span class="small muted">
          {plural(steps.length, 'step')}
          {parallel > 0 && `, ${parallel} of them parallel`}
        </span>
      }
    >
      {steps.length === 0 ? (
        <Empty title="No calls were recorded" />
      ) : (
        <Steps steps={steps.slice(0, shown)} openId={openId} run={run} />
      )}
      {steps.length > shown && (
        <button type="button" onClick={() => setShown(shown + PORTION)}>
          Show {Math.min(PORTION, steps.length - shown)} more steps
        </button>
      )}
    </Card>
  );
}

interface StepsProps {
  readonly steps: readonly SequenceStep[];
  readonly openId: string | undefined;
  readonly run: string | undefined;
}

function Steps({ steps, openId, run }: StepsProps) {
  return (
    <ol class="seq">
      {steps.map(({ calls, repeated, pauseMs }, place) => (
        <li key={place} class="seq-step">
          {place > 0 && (
            <p class="seq-link small muted">
              <span aria-hidden="true">↓</span>
              {pauseMs > 0 ? `${formatMs(pauseMs)} later` : 'then'}
              {repeated.map((tool) => (
                <span key={tool} class="seq-repeat">
                  <span aria-hidden="true">↻</span> {splitTool(tool).name} again
                </span>
              ))}
            </p>
          )}
          <div
            class="seq-calls"
            {...(calls.length > 1 && {
              role: 'group',
              'aria-label': `${calls.length} calls in parallel`,
            })}
          >
            {calls.map((node) => (
              <CallBox key={node.call.id} node={node} openId={openId} run={run} />
            ))}
          </div>
        </li>
      ))}
    </ol>
  );
}

function CallBox({
  node: { call, inside },
  openId,
  run,
}: {
  readonly node: SequenceNode;
  readonly openId: string | undefined;
  readonly run: string | undefined;
}) {
  const { server, name } = splitTool(call.tool);
  const text = (
    <>
      {server !== undefined && <span class="server">{server}:</span>}
      {name}
      <span class="seq-time">#{call.time}</span>
    </>
  );
  return (
    <div class={`seq-call ${toneOf(call.status)}${call.id === openId ? ' is-open' : ''}`}>
      <div class="row wrap-row">
        {run === undefined ? (
          <span class="tool-name wrap">{text}</span>
        ) : (
          <a
            class="tool-name wrap"
            href={linkTo(['runs', run], { ...route.value.query, step: call.id })}
          >
            {text}
          </a>
        )}
        {call.status !== 'completed' && <StatusBadge status={call.status} />}
      </div>
      <p class="small muted num-left">
        at {formatMs(call.startMs)} for {formatMs(call.ms)}
      </p>
      {inside.length > 0 && <Steps steps={inside} openId={openId} run={run} />}
    </div>
  );
}
