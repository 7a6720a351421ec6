import { messageOf, PmlError, type RunEvent, type RunState } from '../core/index.js';
import { applyEvent, foldEvents } from '../executor/index.js';

/** A run as far as its events can be read, and why they cannot be read further. */
export function foldReadable(events: readonly RunEvent[]): {
  readonly state: RunState;
  readonly fault?: PmlError;
} {
  let state: RunState | undefined;
  for (const [place, event] of events.entries()) {
    try {
      state = applyEvent(state, event);
    } catch (error) {
      // Nothing is left of a run whose first event makes no sense.
      if (!state) throw error;
      const text = `event ${place + 1} of ${events.length}: ${messageOf(error)}`;
      return { state, fault: new PmlError('JOURNAL_FAILED', text, { cause: error }) };
    }
  }
  return { state: state ?? foldEvents(events) };
}
