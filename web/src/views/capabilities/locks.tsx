import type { CapabilityDetails } from '../../../../src/control/contract/capabilities.js';
import { StatusBadge } from '../../parts/badge.js';
import { Diff } from '../../parts/code.js';
import { Card } from '../../parts/page.js';
import { Empty } from '../../parts/states.js';
import { ToolName } from '../../parts/tool-name.js';
import { readDiff } from '../../pure/diff-lines.js';

/** The definitions the capability was proven with. */
export function Locks({ details: { lock } }: { readonly details: CapabilityDetails }) {
  return (
    <Card title="Locked tools" isFlush>
      {lock.length === 0 ? (
        <Empty title="It calls no tools" />
      ) : (
        <ul class="list">
          {lock.map(({ tool, hash, state, diff }) => (
            <li key={tool} class="card-body stack tight">
              <div class="row wrap-row">
                <ToolName id={tool} />
                <StatusBadge status={state} />
                <code class="small muted push" title={hash}>
                  {hash.slice(0, 10)}
                </code>
              </div>
              {diff.length > 0 && (
                <Diff lines={readDiff(diff)} label={`Change of ${tool}`} isSigned />
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
