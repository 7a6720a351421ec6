import type { RunDetails } from '../../control/index.js';
import { visible } from '../../core/visible-text.js';
import { formatMs } from '../print/format-time.js';
import { heading } from '../print/print.js';

/** What was decided and said by whom, and what the run noted, in the order it happened. */
export function describeRunHistory({
  decisions,
  messages,
}: Pick<RunDetails, 'decisions' | 'messages'>): readonly string[] {
  const entries = [
    ...decisions.map(({ atMs, by, kind, tasks }) => {
      const about = tasks.length > 0 ? ` ${tasks.map(visible).join(', ')}` : '';
      return { atMs, text: `${by}: ${kind}${about}` };
    }),
    ...messages.map(({ atMs, text, by }) => {
      return { atMs, text: by ? `${by} says: ${visible(text)}` : visible(text) };
    }),
  ].toSorted((a, b) => a.atMs - b.atMs);
  if (entries.length === 0) return [];
  return [
    heading('history'),
    ...entries.map(({ atMs, text }) => `${`+${formatMs(atMs)}`.padStart(12)}  ${text}`),
  ];
}
