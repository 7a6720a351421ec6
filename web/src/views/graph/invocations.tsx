import { ask } from '../../api.js';
import { capabilitiesVersion, runs, snapshots } from '../../live.js';
import { StatusBadge } from '../../parts/badge.js';
import { Card } from '../../parts/page.js';
import { Empty, Loaded } from '../../parts/states.js';
import { type Column, DataTable } from '../../parts/table.js';
import { ToolName } from '../../parts/tool-name.js';
import { callsOfProof, callsOfRun, type SequencedCall } from '../../pure/call-sequence.js';
import { formatMs } from '../../pure/format.js';
import { mergeRuns } from '../../pure/merge-runs.js';
import { goTo } from '../../router.js';
import { useQuery } from '../../use-query.js';
import { CallSequence } from '../runs/call-sequence.js';
import { useRun } from '../runs/use-run.js';

import '../runs/runs.css';

/** The calls of one run or capability in their order; `of` is `run_…` or `cap:…`. */
export function Invocations({ of }: { readonly of: string | undefined }) {
  return (
    <>
      <Picker of={of} />
      {of === undefined ? (
        <Empty title="Select a run or a capability">
          <p>Its calls are shown in order, with their times; parallel calls stand side by side.</p>
        </Empty>
      ) : of.startsWith('cap:') ? (
        <OfCapability key={of} name={of.slice('cap:'.length)} />
      ) : (
        <OfRun key={of} run={of} />
      )}
    </>
  );
}

function Picker({ of }: { readonly of: string | undefined }) {
  const listed = useQuery((signal) => ask('runs', { limit: 100 }, signal), 'runs', snapshots.value);
  const known = useQuery(
    (signal) => ask('capabilities', {}, signal),
    'capabilities',
    capabilitiesVersion.value,
  );
  const all = mergeRuns(listed.data?.runs ?? [], runs.value).slice(0, 100);
  return (
    <div class="tools">
      <select
        aria-label="Run or capability"
        value={of ?? ''}
        onChange={(event) => goTo(['graph'], { mode: 'calls', of: event.currentTarget.value })}
      >
        <option value="">Select a run or a capability</option>
        <optgroup label="Capabilities">
          {(known.data?.capabilities ?? []).map(({ name }) => (
            <option key={name} value={`cap:${name}`}>
              {name}
            </option>
          ))}
        </optgroup>
        <optgroup label="Runs">
          {all.map(({ run, intent }) => (
            <option key={run} value={run}>
              {(intent ?? run).slice(0, 80)}
            </option>
          ))}
        </optgroup>
      </select>
    </div>
  );
}

function OfRun({ run }: { readonly run: string }) {
  const query = useRun(run);
  return (
    <Loaded query={query}>{({ tasks }) => <Calls calls={callsOfRun(tasks)} run={run} />}</Loaded>
  );
}

function OfCapability({ name }: { readonly name: string }) {
  const query = useQuery(
    (signal) => ask('capability-show', { name }, signal),
    name,
    capabilitiesVersion.value,
  );
  return (
    <Loaded query={query}>
      {({ invocations = [] }) => <Calls calls={callsOfProof(invocations)} />}
    </Loaded>
  );
}

const COLUMNS: readonly Column<SequencedCall>[] = [
  { title: 'Call', cell: ({ name }) => <code>{name}</code> },
  { title: 'Tool', cell: ({ tool }) => <ToolName id={tool} /> },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Start', isNumber: true, cell: ({ startMs }) => formatMs(startMs) },
  { title: 'Took', isNumber: true, cell: ({ ms }) => formatMs(ms) },
  { title: 'Called by', cell: ({ parent }) => <code>{parent ?? ''}</code> },
];

function Calls({
  calls,
  run,
}: {
  readonly calls: readonly SequencedCall[];
  readonly run?: string;
}) {
  return (
    <>
      <CallSequence calls={calls} {...(run !== undefined && { run })} />
      {calls.length > 0 && (
        <Card title="The same as a table" isFlush>
          <DataTable label="Calls in order" columns={COLUMNS} rows={calls} keyOf={({ id }) => id} />
        </Card>
      )}
    </>
  );
}
