import type { RunEvent } from '../core/index.js';

/**
 * An event whose words hide secrets: errors, reasons and messages may quote what a server or a script
 * said. Arguments, results and what a script printed are kept as they are: the run needs them to continue.
 */
export function maskEvent(event: RunEvent, mask: (text: string) => string): RunEvent {
  switch (event.type) {
    case 'task-failed':
      return { ...event, error: { ...event.error, message: mask(event.error.message) } };
    case 'task-retried':
    case 'task-doubted':
    case 'task-held':
    case 'task-skipped':
      return { ...event, because: mask(event.because) };
    case 'message-added':
      return { ...event, text: mask(event.text) };
    case 'decision-made': {
      const { command } = event;
      if (!('because' in command) || command.because === undefined) return event;
      return { ...event, command: { ...command, because: mask(command.because) } };
    }
    case 'script-ended': {
      const { end } = event;
      if (end.status !== 'failed') return event;
      const error = { ...end.error, message: mask(end.error.message) };
      return { ...event, end: { ...end, error } };
    }
    default:
      return event;
  }
}
