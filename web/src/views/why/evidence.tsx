import type { PlanExplanation } from '../../../../src/control/contract/explain.js';
import { StatusBadge } from '../../parts/badge.js';
import { Card } from '../../parts/page.js';
import { ToolName } from '../../parts/tool-name.js';
import { formatShare } from '../../pure/format.js';
import { linkTo } from '../../router.js';

/** Links, past runs, what was left out and what speaks against. */
export function Evidence({ plan }: { readonly plan: PlanExplanation }) {
  const { direct, runs, alternatives, against, pageRank, capabilities } = plan;
  return (
    <div class="grid-2">
      {direct.length > 0 && (
        <Card title="Links between tasks" isFlush>
          <ul class="list">
            {direct.map(({ from, to, score, flowed, together }) => (
              <li key={`${from} ${to}`} class="list-row">
                <span class="wrap">
                  <ToolName id={from} /> → <ToolName id={to} />
                </span>
                <span
                  class="push small muted nowrap"
                  title={`a value went over in ${flowed} of ${together} past runs`}
                >
                  {formatShare(score)}, {flowed} of {together}
                </span>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {runs.length > 0 && (
        <Card title="Past runs that support it" isFlush>
          <ul class="list">
            {runs.map(({ id, intent, share, ok }) => (
              <li key={id} class="list-row">
                <StatusBadge status={ok ? 'ok' : 'failed'} />
                <a class="cut" href={linkTo(['why'], { q: id })}>
                  {intent || id}
                </a>
                <span class="push small muted nowrap">{formatShare(share)}</span>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <ToolScores
        title="Left out"
        rows={alternatives.map(({ tool, score }) => ({ tool, text: formatShare(score) }))}
      />
      <ToolScores
        title="Importance in the graph"
        rows={pageRank.map(({ tool, importance }) => ({ tool, text: formatShare(importance) }))}
      />
      <ToolScores
        title="Speaks against"
        rows={against.map(({ tool, because }) => ({ tool, text: because }))}
      />
      <ToolScores
        title="Capabilities that do several tasks"
        rows={capabilities.map(({ capability, insteadOf }) => ({
          tool: capability,
          text: `instead of ${insteadOf.join(', ')}`,
        }))}
      />
    </div>
  );
}

function ToolScores({
  title,
  rows,
}: {
  readonly title: string;
  readonly rows: readonly { readonly tool: string; readonly text: string }[];
}) {
  if (rows.length === 0) return null;
  return (
    <Card title={title} isFlush>
      <ul class="list">
        {rows.map(({ tool, text }, place) => (
          <li key={place} class="list-row">
            <ToolName id={tool} />
            <span class="push small muted wrap">{text}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
