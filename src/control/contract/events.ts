/**
 * What `/api/events` sends to a browser. Every message is JSON in the `data` of a server-sent event
 * of the default type; its `id` is `<epoch>-<seq>`. The first message is a snapshot, unless the
 * browser resumes with `Last-Event-ID` and the daemon still has everything after it. A browser that
 * gets a snapshot forgets what it knew: the daemon is another one, or the browser was too slow.
 */
import type { ActivityRow } from './activity.js';
import type { WaitingQuestion } from './questions.js';
import type { RunEventInfo, RunInfo } from './runs.js';
import type { DaemonStatus, ServerRow } from './status.js';

export type DashboardMessage = DashboardSnapshot | DashboardEvent;

export interface DashboardSnapshot {
  readonly type: 'snapshot';
  readonly seq: number;
  /** Of this daemon; another one after a restart. */
  readonly epoch: string;
  /** ISO 8601. */
  readonly at: string;
  readonly status: DaemonStatus;
  readonly clients: readonly ClientRow[];
  /** Newest first. */
  readonly runs: readonly RunInfo[];
  readonly questions: readonly WaitingQuestion[];
  /** Newest first. */
  readonly calls: readonly ActivityRow[];
  readonly metrics: MetricsTick;
}

/** A change with its place in the stream. */
export type DashboardEvent = DashboardChange & { readonly seq: number };

export type DashboardChange =
  | { readonly type: 'run-changed'; readonly run: RunInfo }
  | {
      readonly type: 'run-event';
      readonly run: string;
      /** The place of the event in the run, from 0; those of `run-events`. */
      readonly place: number;
      readonly event: RunEventInfo;
    }
  | { readonly type: 'call'; readonly call: ActivityRow }
  | { readonly type: 'server-changed'; readonly server: ServerRow }
  | { readonly type: 'server-removed'; readonly name: string }
  /** All that wait now, oldest first. */
  | { readonly type: 'question'; readonly questions: readonly WaitingQuestion[] }
  /** Some capability is new, gone or different: read `capabilities` again. */
  | { readonly type: 'capability-changed' }
  /** Tools or their definitions changed: read `tools`, `changes` or `tool-policies` again. */
  | { readonly type: 'tools-changed' }
  /** All that are connected now. */
  | { readonly type: 'client-changed'; readonly clients: readonly ClientRow[] }
  | { readonly type: 'metrics'; readonly metrics: MetricsTick };

/** A connected client and what PML sent to it. */
export interface ClientRow {
  readonly id: string;
  readonly name: string;
  /** What PML sent in its own words. */
  readonly usedTokens: number;
  readonly budgetTokens: number;
  /** Results of tools that the agent called. */
  readonly resultTokens: number;
  /** What the definitions of all tools would have cost, less what was sent instead; never below 0. */
  readonly savedTokens: number;
}

export interface MetricsTick {
  /** ISO 8601. */
  readonly at: string;
  readonly rssBytes: number;
  readonly activeRuns: number;
  /** Calls in each of the last 60 minutes, oldest first; the last one is not over. */
  readonly callsPerMinute: readonly number[];
  /** Those among them that did not succeed. */
  readonly failuresPerMinute: readonly number[];
}
