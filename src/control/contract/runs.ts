import type {
  Decider,
  Guess,
  JsonObject,
  JsonValue,
  RunCommand,
  RunEvent,
  TaskState,
} from '../../core/index.js';

/** What the daemon tells the command line about a run, as JSON. */
export interface RunInfo {
  readonly run: string;
  readonly status:
    | 'completed'
    | 'failed'
    /** The user or the agent rejected a task, and nothing else went wrong. */
    | 'rejected'
    | 'aborted'
    | 'needs_approval'
    | 'needs_decision'
    | 'running'
    /** Part of its journal is lost. */
    | 'damaged';
  readonly intent?: string;
  /** What it does, for runs without an intent: the first line of its code, or its tools. */
  readonly about?: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly ms: number;
  /** How many tasks are in which state. */
  readonly counts: Readonly<Partial<Record<TaskState['status'], number>>>;
  /** What it waits for, in words. */
  readonly question?: string;
  readonly error?: { readonly code: string; readonly message: string };
}

/** What a script did besides calling and returning. */
export interface ScriptInfo {
  /** What it printed, a line each. */
  readonly logs: readonly string[];
  /** What it did with its own data, such as `code:filter`. */
  readonly operations: readonly {
    readonly operation: string;
    readonly line: number;
    readonly times: number;
    /** How many of its calls the script had made before. */
    readonly afterCall: number;
  }[];
}

/** An argument that PML filled in. */
export interface FilledArgument extends Guess {
  readonly param: string;
  /** In one line: what it is, where it came from, how likely it is meant. */
  readonly text: string;
}

export interface RunTaskInfo {
  readonly id: string;
  readonly tool: string;
  /** The task whose code called it. */
  readonly parent?: string;
  /** Of a capability: what its code did. */
  readonly script?: ScriptInfo;
  readonly needs: readonly string[];
  /** From 0; tasks of one layer need nothing of each other. */
  readonly layer: number;
  readonly status: TaskState['status'];
  readonly attempts: number;
  /** Milliseconds after the run began; of the last attempt. */
  readonly startMs?: number;
  readonly ms?: number;
  /** When all its inputs were ready; from then to `startMs` of the first attempt it queued. */
  readonly readyMs?: number;
  /** Every attempt in order; the time between two is the pause before a retry. */
  readonly spans?: readonly AttemptSpan[];
  readonly because?: string;
  readonly error?: { readonly code: string; readonly message: string };
  /** What it gave, or the beginning of it. */
  readonly result?: string;
  /** The same as a value, whole; only in full details. */
  readonly output?: JsonValue;
  /** The arguments as a value, whole; only in full details. */
  readonly input?: JsonValue;
  /** With all known values filled in; shortened unless a decision about it is pending. */
  readonly args: string;
  /** The arguments that PML filled in; all others were given. */
  readonly filled?: readonly FilledArgument[];
  readonly progress?: string;
}

/** One attempt of a task, in milliseconds after the run began. */
export interface AttemptSpan {
  readonly startMs: number;
  /** Missing while it runs. */
  readonly ms?: number;
  readonly outcome: 'running' | 'completed' | 'failed' | 'in_doubt';
  readonly error?: string;
}

export interface RunDetails extends RunInfo {
  /** What the script of the run did. */
  readonly script?: ScriptInfo;
  /** What the script of the run returned. */
  readonly returned?: JsonValue;
  readonly tasks: readonly RunTaskInfo[];
  readonly decisions: readonly {
    readonly atMs: number;
    readonly by: Decider;
    readonly kind: RunCommand['kind'];
    readonly tasks: readonly string[];
  }[];
  readonly messages: readonly {
    readonly atMs: number;
    readonly text: string;
    /** Missing for what PML noted itself. */
    readonly by?: Decider;
  }[];
}

/** One event as `pml watch` shows it. */
export interface RunEventInfo {
  readonly atMs: number;
  readonly type: RunEvent['type'];
  readonly task?: string;
  readonly text?: string;
}

/** Events of a run in order, for a replay. */
export interface RunEventPage {
  readonly run: string;
  readonly events: readonly ReplayedEvent[];
  /** Give this as `after` to read on; missing at the end. */
  readonly next?: number;
  readonly total: number;
}

/** One event with its effect. */
export interface ReplayedEvent extends RunEventInfo {
  /** From 0. */
  readonly place: number;
  /** The status of its task after it. */
  readonly status?: TaskState['status'];
  /** Of a task that was called by a script: who called it, and what. */
  readonly tool?: string;
  readonly parent?: string;
}

/** Answer of `run-watch`: the events after `after`, and the state of the run. */
export interface RunWatchAnswer {
  readonly events: readonly RunEventInfo[];
  /** Give this as `after` next time. */
  readonly next: number;
  readonly run: RunDetails;
}

/** The answer to a dry run, as far as it is shown. */
export type PlanAnswer = {
  readonly layers: readonly (readonly string[])[];
  readonly tasks: readonly {
    readonly id: string;
    readonly tool: string;
    readonly args: JsonObject;
    readonly needs: readonly string[];
  }[];
  /** Values that PML filled in, each with its source, score and reason; missing in old builds. */
  readonly filled?: readonly string[];
  readonly bindings: readonly {
    readonly from: string;
    readonly to: string;
    readonly score: number;
    readonly reasons: readonly string[];
  }[];
  readonly ambiguous?: readonly {
    readonly param: string;
    readonly sources: readonly { readonly from: string; readonly score: number }[];
  }[];
  readonly broken?: readonly { readonly edge: string; readonly cycle: string }[];
  readonly holes: readonly {
    readonly task: string;
    readonly param: string;
    readonly type: string;
    readonly hint?: string;
  }[];
  readonly approvals: readonly {
    readonly task: string;
    readonly tool: string;
    readonly because: string;
  }[];
};

export type RunStarted = { readonly run: string } | { readonly plan: PlanAnswer };

/** The answer to a dry run of code. */
export type ReachedTools = {
  readonly tools: readonly {
    readonly tool: string;
    readonly risk: string;
    /** Why PML asks before it calls the tool. */
    readonly asks?: string;
  }[];
  readonly note?: string;
};

/** A kept result: its text, and its value where it is JSON. */
export interface KeptResultAnswer {
  readonly handle: string;
  readonly mimeType: string;
  readonly text?: string;
  readonly value?: JsonValue;
}
