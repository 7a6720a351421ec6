import type {
  DashboardEvent,
  DashboardMessage,
  DashboardSnapshot,
} from '../../src/control/contract/events.js';

const KEPT_CALLS = 500;
const KEPT_RUNS = 200;

/** What is known after a message. Pure; messages that the snapshot already holds change nothing. */
export function applyMessage(
  known: DashboardSnapshot | undefined,
  message: DashboardMessage,
): DashboardSnapshot | undefined {
  if (message.type === 'snapshot') return message;
  return known && { ...changed(known, message), seq: message.seq };
}

function changed(known: DashboardSnapshot, event: DashboardEvent): DashboardSnapshot {
  switch (event.type) {
    case 'run-changed': {
      const isKnown = known.runs.some(({ run }) => run === event.run.run);
      const runs = isKnown
        ? known.runs.map((one) => (one.run === event.run.run ? event.run : one))
        : [event.run, ...known.runs].slice(0, KEPT_RUNS);
      return { ...known, runs };
    }
    case 'call': {
      if (known.calls.some(({ id }) => id === event.call.id)) return known;
      return { ...known, calls: [event.call, ...known.calls].slice(0, KEPT_CALLS) };
    }
    case 'server-changed': {
      const others = known.status.servers.filter(({ name }) => name !== event.server.name);
      const servers = [...others, event.server].toSorted((a, b) => (a.name < b.name ? -1 : 1));
      return { ...known, status: { ...known.status, servers } };
    }
    case 'server-removed': {
      const servers = known.status.servers.filter(({ name }) => name !== event.name);
      return { ...known, status: { ...known.status, servers } };
    }
    case 'question':
      return { ...known, questions: event.questions };
    case 'client-changed':
      return { ...known, clients: event.clients };
    case 'metrics':
      return { ...known, metrics: event.metrics };
    default:
      // What views read again by themselves.
      return known;
  }
}
