import type { ReplayedEvent } from '../../../../src/control/contract/runs.js';
import { formatMs } from '../../pure/format.js';
import { setQuery } from '../../router.js';

/** Moves through the events of a run; the views above show the run as it was then. */
export function Replay({
  events,
  place,
}: {
  readonly events: readonly ReplayedEvent[];
  readonly place: number;
}) {
  const total = events.length;
  if (total === 0) return null;
  const go = (to: number) => setQuery({ at: to >= total ? undefined : String(Math.max(0, to)) });
  const event = events[place - 1];
  return (
    <section class="card replay" aria-label="Replay">
      <div class="row wrap-row">
        <h2>Replay</h2>
        <button type="button" class="small" disabled={place === 0} onClick={() => go(place - 1)}>
          Back
        </button>
        <input
          type="range"
          min={0}
          max={total}
          value={place}
          aria-label="Event of the run"
          aria-valuetext={event ? textOf(event) : 'before the run'}
          onInput={(input) => go(Number(input.currentTarget.value))}
        />
        <button type="button" class="small" disabled={place >= total} onClick={() => go(place + 1)}>
          Next
        </button>
        <span class="small muted nowrap">
          event {place} of {total}
        </span>
      </div>
      <p class="small mono cut">{event ? textOf(event) : 'Before the run'}</p>
    </section>
  );
}

function textOf({ atMs, type, task, text }: ReplayedEvent): string {
  return [formatMs(atMs), type, task, text].filter(Boolean).join(' · ');
}
