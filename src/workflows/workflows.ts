import type { ExecutionTrace, JsonObject, Logger, PastCall, Principal } from '../core/index.js';
import type { ClientPast, Discovery, Trail } from '../discovery/index.js';
import type { GraphMetrics, KnowledgeGraph } from '../graph/index.js';
import type { KeptResults } from '../results/index.js';
import type { Runs } from '../runs/index.js';
import type { Foresight, Warming } from '../speculation/index.js';
import type { Suggester } from '../suggest/index.js';
import type { ToolDirectory } from '../tools/index.js';
import type { Dialogs } from './approve/dialogs.js';
import type { BindingLearner } from './plan/binding-learner.js';
import type { Planning } from './plan/planning.js';
import type { ShownGuesses } from './plan/shown-guesses.js';
import type { RunClients } from './run/run-clients.js';

/** Plans, runs and learning, based on the tools of the directory. */
export interface Workflows {
  readonly tools: ToolDirectory;
  /**
   * The same for clients of a profile, or of the default one. A named client also has a memory of its
   * own, and knows no capability. See `ToolDirectory.within`.
   */
  within(profile: string | undefined, principal?: Principal): Workflows;
  /** The memory that answers to this client come from. */
  past(): ClientPast;
  readonly results: KeptResults;
  readonly runs: Runs;
  readonly clients: RunClients;
  readonly dialogs: Dialogs;
  readonly planning: Planning;
  readonly suggester: Suggester;
  readonly bindings: BindingLearner;
  readonly shown: ShownGuesses;
  readonly graph: KnowledgeGraph;
  readonly metrics: GraphMetrics;
  /** Starts servers before the calls that will likely need them. */
  readonly warming: Warming;
  /** Prepares calls before clients ask for them; missing if that is turned off. */
  readonly foresight: Foresight | undefined;
  readonly log: Logger;
  /** Hides secrets in messages and memories of PML. */
  readonly mask: (text: string) => string;
  /** Remembers calls without updating the search index: no client may be searching now. */
  executed(trail: { current: Trail }, execution: Parameters<Discovery['executed']>[1]): void;
  /** The same for one call outside a run. Remembers only arguments that may be kept. */
  executedAlone(trail: { current: Trail }, call: PastCall, args: JsonObject): void;
  /** Passes executions to every component that learns from them. */
  remember(traces: readonly ExecutionTrace[]): void;
  /** How similar texts are in meaning, if there is a model. Waits for the model within a bound. */
  compare(texts: readonly string[]): ReturnType<Discovery['compare']>;
  /** Remembers runs that ended before the last daemon could record them. */
  recovered(runs: Parameters<Discovery['recover']>[0]): void;
}
