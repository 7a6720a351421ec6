import { now } from '../clock.js';
import { formatAgo, formatClock } from '../pure/format.js';

export function Ago({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={at} class="nowrap">
      {formatAgo(at, now.value)}
    </time>
  );
}

export function Clock({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={at} class="nowrap mono">
      {formatClock(at, now.value)}
    </time>
  );
}
