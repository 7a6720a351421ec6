import type { CapabilityDetails } from '../../../../src/control/contract/capabilities.js';
import { ask } from '../../api.js';
import { capabilitiesVersion } from '../../live.js';
import { StatusBadge, Tag } from '../../parts/badge.js';
import { Code } from '../../parts/code.js';
import { Card, Figures, Page } from '../../parts/page.js';
import { Loaded } from '../../parts/states.js';
import { callsOfProof } from '../../pure/call-sequence.js';
import { formatMs, formatShare } from '../../pure/format.js';
import { linkTo } from '../../router.js';
import { useQuery } from '../../use-query.js';
import { CallSequence } from '../runs/call-sequence.js';
import { CapabilityActions } from './actions.js';
import { Locks } from './locks.js';
import { Parameters } from './parameters.js';
import { RunForm } from './run-form.js';
import { Versions } from './versions.js';

import '../runs/runs.css';

export function OneCapability({ name }: { readonly name: string }) {
  const query = useQuery(
    (signal) => ask('capability-show', { name }, signal),
    name,
    capabilitiesVersion.value,
  );
  const details = query.data;
  return (
    <Page
      title={name}
      crumbs={[{ text: 'Capabilities', href: linkTo(['capabilities']) }]}
      about={details && <About details={details} />}
      actions={details && <CapabilityActions details={details} reload={query.reload} />}
    >
      <Loaded query={query}>{(data) => <Body details={data} />}</Loaded>
    </Page>
  );
}

function About({ details }: { readonly details: CapabilityDetails }) {
  const { status, isPinned, isOffered, description } = details;
  return (
    <span class="stack tight">
      <span class="row wrap-row">
        <StatusBadge status={status} />
        {isPinned && <Tag text="pinned" tone="info" />}
        <Tag text={isOffered ? 'offered to agents' : 'not offered'} />
      </span>
      <span class="wrap">{description}</span>
    </span>
  );
}

function Body({ details }: { readonly details: CapabilityDetails }) {
  const { reason, cause, uses, successes, reliability, averageMs, failuresInRow } = details;
  return (
    <>
      {(reason ?? cause) && (
        <p class="notice warn">
          {reason}
          {cause && cause !== reason && ` (${cause})`}
        </p>
      )}
      <Figures
        items={[
          { name: 'Uses', value: uses, note: `${successes} worked` },
          {
            name: 'Reliability',
            value: formatShare(reliability),
            note: `${failuresInRow} failures in a row`,
          },
          { name: 'Average time', value: formatMs(averageMs) },
          { name: 'Version', value: details.version },
        ]}
      />
      <div class="grid-2">
        <div class="stack">
          <Card title="Code">
            <p class="mono small wrap">{details.signature}</p>
            <Code text={details.code} label="Code of the capability" />
          </Card>
          <Versions details={details} />
        </div>
        <div class="stack">
          <RunForm details={details} />
          <Parameters details={details} />
          <Locks details={details} />
          <CallSequence calls={callsOfProof(details.invocations ?? [])} />
        </div>
      </div>
    </>
  );
}
