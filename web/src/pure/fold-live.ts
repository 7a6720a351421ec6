/** What the page knows from the live stream. A pure fold: the same messages give the same state. */
import type { ActivityRow } from '../../../src/control/contract/activity.js';
import type {
  ClientRow,
  DashboardEvent,
  DashboardMessage,
  DashboardSnapshot,
  MetricsTick,
} from '../../../src/control/contract/events.js';
import type { WaitingQuestion } from '../../../src/control/contract/questions.js';
import type { RunEventInfo, RunInfo } from '../../../src/control/contract/runs.js';
import type { DaemonStatus } from '../../../src/control/contract/status.js';

export interface LiveState {
  readonly epoch: string;
  readonly seq: number;
  readonly status: DaemonStatus;
  readonly clients: readonly ClientRow[];
  /** Newest first. */
  readonly runs: readonly RunInfo[];
  readonly questions: readonly WaitingQuestion[];
  /** Newest first; the last ones only. */
  readonly calls: readonly ActivityRow[];
  readonly metrics: MetricsTick;
  /** The last events of all runs, the newest last. */
  readonly events: readonly LiveRunEvent[];
  /** These grow whenever what they count is to be read again. */
  readonly toolsVersion: number;
  readonly capabilitiesVersion: number;
  /** Grows with every snapshot: everything that was read is to be read again. */
  readonly snapshots: number;
}

export interface LiveRunEvent {
  readonly run: string;
  readonly place: number;
  readonly event: RunEventInfo;
}

const MOST_RUNS = 1_000;
const MOST_CALLS = 1_000;
const MOST_EVENTS = 200;

/** Without a snapshot there is nothing that an event could change. */
export function applyMessage(
  state: LiveState | undefined,
  message: DashboardMessage,
): LiveState | undefined {
  if (message.type === 'snapshot') return fromSnapshot(message, state);
  if (!state || message.seq <= state.seq) return state;
  return { ...applyEvent(state, message), seq: message.seq };
}

function fromSnapshot(snapshot: DashboardSnapshot, before: LiveState | undefined): LiveState {
  const { epoch, seq, status, clients, runs, questions, calls, metrics } = snapshot;
  return {
    epoch,
    seq,
    status,
    clients,
    runs,
    questions,
    calls,
    metrics,
    events: [],
    toolsVersion: (before?.toolsVersion ?? 0) + 1,
    capabilitiesVersion: (before?.capabilitiesVersion ?? 0) + 1,
    snapshots: (before?.snapshots ?? 0) + 1,
  };
}

function applyEvent(state: LiveState, event: DashboardEvent): LiveState {
  switch (event.type) {
    case 'run-changed':
      return { ...state, runs: withRun(state.runs, event.run) };
    case 'run-event': {
      const { run, place, event: what } = event;
      return {
        ...state,
        events: [...state.events, { run, place, event: what }].slice(-MOST_EVENTS),
      };
    }
    case 'call':
      return { ...state, calls: [event.call, ...state.calls].slice(0, MOST_CALLS) };
    case 'server-changed':
    case 'server-removed':
      return { ...state, status: withServer(state.status, event) };
    case 'question':
      return { ...state, questions: event.questions };
    case 'capability-changed':
      return { ...state, capabilitiesVersion: state.capabilitiesVersion + 1 };
    case 'tools-changed':
      return { ...state, toolsVersion: state.toolsVersion + 1 };
    case 'client-changed':
      return { ...state, clients: event.clients };
    case 'metrics':
      return { ...state, metrics: event.metrics };
    default:
      // A newer daemon may send more; what this page does not know it does not show.
      return state;
  }
}

function withRun(runs: readonly RunInfo[], run: RunInfo): readonly RunInfo[] {
  const place = runs.findIndex((one) => one.run === run.run);
  if (place >= 0) return runs.with(place, run);
  return [run, ...runs].slice(0, MOST_RUNS);
}

function withServer(
  status: DaemonStatus,
  event: Extract<DashboardEvent, { type: 'server-changed' | 'server-removed' }>,
): DaemonStatus {
  const name = event.type === 'server-changed' ? event.server.name : event.name;
  const place = status.servers.findIndex((one) => one.name === name);
  if (event.type === 'server-removed') {
    return { ...status, servers: status.servers.filter((one) => one.name !== name) };
  }
  const servers =
    place < 0 ? [...status.servers, event.server] : status.servers.with(place, event.server);
  return { ...status, servers };
}
