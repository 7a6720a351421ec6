/** What PML may do before a client asks for it; each mode allows all that stands before it. */
export type SpeculationMode = 'off' | 'warm' | 'suggest' | 'on';

/** `speculation` of the configuration, with every default filled in. */
export interface SpeculationSettings {
  readonly mode: SpeculationMode;
  /** Servers that are started ahead of calls at the same time. */
  readonly warmServers: number;
  /** How long a result of a call that was made ahead may be served. */
  readonly ttlMs: number;
  /** Globs of `server:tool`. */
  readonly allow: readonly string[];
  /** Globs of `server` or `server:tool`; wins over `allow`. */
  readonly deny: readonly string[];
  /** Calls that one server gets ahead at the same time. */
  readonly concurrency: number;
  readonly callsPerMinute: number;
  readonly msPerMinute: number;
  readonly bytesPerMinute: number;
  /** By `server:tool`. */
  readonly cost: Readonly<Record<string, number>>;
  readonly moneyPerPlan: number;
  readonly planMs: number;
  /** What a prediction must reach; missing where outcomes decide. */
  readonly threshold?: number | undefined;
  /** Share of predictions acted on that should be useful. */
  readonly target: number;
  /** Share of predictions acted on that may be unused. */
  readonly waste: number;
}

const MODES: readonly SpeculationMode[] = ['off', 'warm', 'suggest', 'on'];

/** Whether what is configured allows what `needed` names. */
export function maySpeculate({ mode }: SpeculationSettings, needed: SpeculationMode): boolean {
  return MODES.indexOf(mode) >= MODES.indexOf(needed);
}
