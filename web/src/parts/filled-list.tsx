import type { FilledArgument } from '../../../src/control/contract/runs.js';
import { formatShare } from '../pure/format.js';
import { Tag } from './badge.js';

/** Arguments that PML filled in, each with its source and how sure PML is. */
export function FilledList({ filled }: { readonly filled: readonly FilledArgument[] }) {
  return (
    <ul class="stack tight">
      {filled.map(({ param, source, score, because, confirmed }) => (
        <li key={param} class="row wrap-row">
          <code>{param}</code>
          <Tag text={source} tone={score < 0.8 ? 'warn' : 'info'} />
          <span class="small">{formatShare(score)} sure</span>
          {confirmed && <Tag text={confirmed} tone="ok" />}
          <span class="small muted wrap">{because}</span>
        </li>
      ))}
    </ul>
  );
}
