import { useState } from 'preact/hooks';

import type {
  CapabilityDetails,
  VersionRow,
} from '../../../../src/control/contract/capabilities.js';
import { ask } from '../../api.js';
import { ActionButton } from '../../parts/action-button.js';
import { Tag } from '../../parts/badge.js';
import { Diff } from '../../parts/code.js';
import { Card } from '../../parts/page.js';
import { Ago } from '../../parts/time.js';
import { diffLines } from '../../pure/diff-lines.js';
import { linkTo } from '../../router.js';

/** Every version; those that are not in use with what the one in use changed. */
export function Versions({ details }: { readonly details: CapabilityDetails }) {
  const { versions, name } = details;
  return (
    <Card title="Versions" isFlush>
      <ul class="list">
        {versions.map((version) => (
          <Version key={version.version} version={version} code={details.code} name={name} />
        ))}
      </ul>
    </Card>
  );
}

function Version({
  version,
  code,
  name,
}: {
  readonly version: VersionRow;
  readonly code: string;
  readonly name: string;
}) {
  const [isOpen, setOpen] = useState(false);
  const { isCurrent, uses, successes, origin, at, run } = version;
  return (
    <li class="card-body stack tight">
      <div class="row wrap-row">
        <span class="strong">Version {version.version}</span>
        {isCurrent && <Tag text="in use" tone="ok" />}
        <span class="small muted">
          {origin}, {successes} of {uses} worked, <Ago at={at} />
        </span>
        {run && (
          <a class="small" href={linkTo(['runs', run])}>
            its run
          </a>
        )}
        {!isCurrent && (
          <span class="push row">
            {version.code !== undefined && (
              <button
                type="button"
                class="small"
                aria-expanded={isOpen}
                onClick={() => setOpen(!isOpen)}
              >
                {isOpen ? 'Hide the difference' : 'Show the difference'}
              </button>
            )}
            <ActionButton
              text="Restore"
              kind="small"
              act={() =>
                ask('capability-change', { name, action: 'restore', version: version.version })
              }
            />
          </span>
        )}
      </div>
      {isOpen && version.code !== undefined && (
        <Diff
          lines={diffLines(version.code, code)}
          label={`From version ${version.version} to the one in use`}
        />
      )}
    </li>
  );
}
