/** Whether runs become better as PML learns. */
export interface LearningMetrics {
  /** Executions that are in memory, of which these are runs: they were asked for, or made several calls. */
  readonly executions: number;
  readonly runs: number;
  /** How many runs are compared with each other. */
  readonly window: number;
  /** All runs together. */
  readonly all: RunQuality;
  /** Oldest first; days without a run are missing. */
  readonly days: readonly (RunQuality & {
    /** `2026-11-17`, in UTC. */
    readonly day: string;
  })[];
  /** Windows of so many runs each, oldest first. */
  readonly windows: readonly RunQuality[];
  /** Missing while there are fewer than two windows. */
  readonly success?: Improvement;
  readonly pathLength?: Improvement;
}

export interface RunQuality {
  readonly runs: number;
  /** The share that succeeded, from 0 to 1. */
  readonly successRate: number;
  /** Calls of a run that succeeded, on average; missing if none did. */
  readonly pathLength?: number;
}

/** How the first window compares with the newest. */
export interface Improvement {
  readonly first: number;
  readonly newest: number;
  /** Runs until a window was better than the first by a tenth; missing if none was. */
  readonly runsUntilBetter?: number;
  /** False: the first window leaves less than a tenth to improve. */
  readonly hasRoom: boolean;
}
