import type { FoundTool } from '../../../../src/control/contract/search.js';
import { ask } from '../../api.js';
import { Card } from '../../parts/page.js';
import { ShareBars } from '../../parts/share-bars.js';
import { Empty, Loaded } from '../../parts/states.js';
import { ToolName } from '../../parts/tool-name.js';
import { formatShare } from '../../pure/format.js';
import { signalLabel } from '../../pure/signal-labels.js';
import { useQuery } from '../../use-query.js';

const SHOWN = 10;

/** What a search for the intent finds, with every signal × weight. */
export function Candidates({ intent }: { readonly intent: string }) {
  const found = useQuery((signal) => ask('search', { intent, limit: SHOWN }, signal), intent);
  return (
    <Card title="Candidates of a search">
      <Loaded query={found}>
        {(answer) =>
          'waitFor' in answer ? (
            <Empty title="The search model loads" />
          ) : answer.hits.length === 0 ? (
            <Empty title="No tool was found" />
          ) : (
            <>
              {answer.isWeak && (
                <p class="notice warn">Even the best is more likely wrong than right.</p>
              )}
              {!answer.byMeaning && (
                <p class="notice info">Words alone decided; the model of meaning is not used.</p>
              )}
              <ol class="stack">
                {answer.hits.map((hit) => (
                  <Candidate key={hit.tool} hit={hit} />
                ))}
              </ol>
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

function Candidate({ hit }: { readonly hit: FoundTool }) {
  const { tool, score, description, signals, reasons } = hit;
  return (
    <li class="candidate stack tight">
      <div class="row wrap-row">
        <ToolName id={tool} />
        <span class="bar candidate-bar" aria-hidden="true">
          <span style={{ width: formatShare(score).replace(' ', '') }} />
        </span>
        <span class="strong">{formatShare(score)}</span>
      </div>
      <p class="small muted wrap">{description}</p>
      {reasons.length > 0 && <p class="small wrap">{reasons.join('; ')}</p>}
      <ShareBars
        bars={signals.map(({ signal, value, weight, share }) => ({
          name: signalLabel(signal),
          share,
          detail: `${value.toFixed(2)} × ${weight.toFixed(2)}`,
        }))}
      />
    </li>
  );
}
