import type { Generated, GeneratedAlways } from 'kysely';

import type {
  AlgorithmTrace,
  CapabilityStatus,
  CapabilityVersion,
  EdgeType,
  EpisodeOutcome,
  ErrorType,
  ExecutionTrace,
  PlanMatch,
  RankingModel,
  Rung,
  SuggestionMode,
  ToolChange,
  ToolStatus,
} from '../core/index.js';

/**
 * The tables as queries see them. Columns of type `json` are written and read as text: `jsonb`
 * would reorder keys, and a definition must leave exactly as it came.
 */
export interface Tables {
  schema_migration: {
    version: number;
    name: string;
    applied_at: Generated<Date>;
  };
  server: {
    name: string;
    config_hash: string;
    listing: string;
    eras: string;
    probed_at: Date;
    first_seen: Date;
    last_seen: Date;
  };
  tool: {
    id: string;
    server: string;
    /** Place in the server's own list. */
    position: number;
    definition: string;
    hash: string;
    status: ToolStatus;
    reason: string | null;
    first_seen: Date;
    last_seen: Date;
  };
  tool_change: {
    id: GeneratedAlways<number>;
    tool: string;
    at: Date;
    kind: ToolChange['kind'];
    old_hash: string | null;
    new_hash: string | null;
    diff: string;
  };
  embedding_space: {
    id: string;
    dimension: number;
    created_at: Generated<Date>;
  };
  embedding: {
    space: string;
    content_hash: string;
    dimension: number;
    /** Of type `vector` or `bytea`: only ever named in SQL that knows which. */
    vector: never;
    created_at: Generated<Date>;
  };
  execution_trace: {
    id: string;
    intent: string;
    at: Date;
    source: ExecutionTrace['source'];
    ok: boolean;
    group_name: string | null;
    run: string | null;
    ms: number | null;
    decisions: string | null;
    has_origins: boolean | null;
    called_before: string | null;
    /** Principal of the named client that made it; null for the user. */
    owner: string | null;
  };
  execution_call: {
    trace: string;
    position: number;
    tool: string;
    ok: boolean;
    ms: number | null;
    start_ms: number | null;
    /** Position of the call that made it. */
    parent: number | null;
    error_type: ErrorType | null;
    error_message: string | null;
    args: string | null;
    origins: string | null;
  };
  execution_binding: {
    trace: string;
    position: number;
    /** Positions of calls. */
    producer: number;
    consumer: number;
    field: string | null;
    param: string | null;
    part: string | null;
    origin: string | null;
  };
  algorithm_trace: {
    id: string;
    at: Date;
    algorithm: AlgorithmTrace['algorithm'];
    intent: string;
    model: string;
    weights: string;
    candidates: string;
    shown: number;
    /** All three or none. */
    outcome_tool: string | null;
    outcome_place: number | null;
    outcome_ok: boolean | null;
    outcome_match: PlanMatch | null;
    outcome_run: string | null;
    /** All three or none. */
    confidence: number | null;
    threshold: number | null;
    mode: SuggestionMode | null;
  };
  ranking_model: {
    id: string;
    at: Date;
    parameters: string;
    metric: string;
    status: RankingModel['status'];
  };
  plan_model: Tables['ranking_model'];
  tool_vectors: {
    model: string;
    at: Date;
    space: string;
    tools: string;
    weights: Uint8Array;
  };
  tool_output: {
    tool: string;
    definition_hash: string;
    schema: string;
    observations: number;
    updated_at: Date;
  };
  run: {
    id: string;
    /** Grows with every run that is begun. */
    position: GeneratedAlways<number>;
    started_at: Date;
    finished_at: Date | null;
    /** The process that has it, assumed alive until `leased_until`. */
    owner: string;
    leased_until: Date;
    /** Raised by every write and every change of owner, so that none can come late. */
    epoch: number;
    /** Which of its events count: those before were replaced, those after were never acknowledged. */
    first_seq: number;
    next_seq: number;
  };
  run_event: {
    run: string;
    seq: number;
    /** One event as JSON a line. */
    events: string;
  };
  capability: {
    name: string;
    aliases: string;
    description: string;
    intents: string;
    status: CapabilityStatus['status'];
    cause: Extract<CapabilityStatus, { status: 'quarantined' }>['cause'] | null;
    reason: string | null;
    is_pinned: boolean;
    /** Of the version in use. */
    current_identity: string;
  };
  capability_version: {
    capability: string;
    identity: string;
    version: number;
    code: string;
    parameters: string;
    lock: string;
    contains: string;
    structure: string;
    tools_used: string;
    sequence: string;
    invocations: string | null;
    uses: number;
    successes: number;
    failures_in_row: number;
    total_ms: number;
    last_used: Date | null;
    origin: CapabilityVersion['provenance']['origin'];
    run: string | null;
    proven_at: Date;
  };
  result_blob: {
    handle: string;
    mime_type: string;
    /** Of all its parts. */
    bytes: number;
    created_at: Date;
    expires_at: Date;
    /** Why it has no parts any more. */
    gone: 'expired' | 'dropped' | null;
  };
  result_part: {
    handle: string;
    position: number;
    content: Uint8Array;
  };
  graph_node: {
    id: string;
    calls: number;
    failures: number;
    repeats: number;
    runs: number;
    total_ms: number;
    /** Milliseconds since 1970. */
    last_at: number;
  };
  graph_edge: {
    from_id: string;
    to_id: string;
    type: EdgeType;
    observed: number;
    failed: number;
    last_at: number;
  };
  episode: {
    id: string;
    at: Date;
    rung: Rung;
    client: string;
    intent: string;
    last: string;
    predicted: string;
    confidence: number;
    claimed: number | null;
    threshold: number;
    was_done: boolean;
    outcome: EpisodeOutcome;
    actual: string | null;
    saved_ms: number;
    wasted_ms: number;
  };
  threshold: {
    rung: Rung;
    kind: string;
    value: number;
    is_off: boolean;
    why: string;
    at: Date;
  };
  sign_in: {
    /** Says nothing about the server to a reader without the key. */
    id: string;
    /** Encrypted with a key that is not in the database. */
    sealed: Uint8Array | null;
    /** The gateway that works on it, until `leased_until`. */
    owner: string | null;
    leased_until: Date | null;
  };
  graph_state: {
    is_only: Generated<boolean>;
    /** How many are in the graph. */
    executions: number;
  };
}

/** Tables that only ever grow: fewer rows than before means that data was lost. */
export const APPEND_ONLY_TABLES = [
  'schema_migration',
  'tool_change',
  'execution_trace',
  'execution_call',
  'execution_binding',
  'ranking_model',
] as const;

export const COUNTED_TABLES = [
  'server',
  'tool',
  'tool_change',
  'embedding',
  'execution_trace',
  'algorithm_trace',
  'ranking_model',
  'tool_output',
  'run',
  'capability',
  'graph_node',
  'graph_edge',
] as const;
