import { isNamed, type Logger, maskForms, pause } from '../core/index.js';
import type { Discovery } from '../discovery/index.js';
import type { GraphMetrics, KnowledgeGraph } from '../graph/index.js';
import type { KeptResults } from '../results/index.js';
import { type Foresight, NO_WARMING, type Warming } from '../speculation/index.js';
import type { ToolDirectory } from '../tools/index.js';
import { Dialogs } from './approve/dialogs.js';
import { ClientMemories, memoryOf } from './client-memories.js';
import { BindingLearner } from './plan/binding-learner.js';
import { claimedBindings, mayBind } from './plan/claimed-bindings.js';
import { Planning } from './plan/planning.js';
import { ShownGuesses } from './plan/shown-guesses.js';
import { createRuns, type RunParts } from './run/create-runs.js';
import { RunClients } from './run/run-clients.js';
import { createSuggester } from './suggest/create-suggester.js';
import type { Workflows } from './workflows.js';

export interface WorkflowsParts {
  readonly tools: ToolDirectory;
  readonly results: KeptResults;
  readonly discovery: Discovery;
  readonly graph: KnowledgeGraph;
  readonly metrics: GraphMetrics;
  readonly runs: RunParts;
  /** Default: no server is started ahead. */
  readonly warming?: Warming;
  readonly foresight?: Foresight;
  readonly log: Logger;
  /** Default: what has the form of a secret. */
  readonly mask?: (text: string) => string;
}

/** So long a plan waits for the model that decides about its gaps. */
const MODEL_PATIENCE_MS = 5_000;

/** Runs call tools through the directory, and what they did is remembered by discovery and planning. */
export function createWorkflows(parts: WorkflowsParts): Workflows {
  const { tools, results, discovery, graph, metrics, log, mask = maskForms } = parts;
  const planning = new Planning(tools.catalog, log);
  const past = () => tools.discovery;
  const suggester = createSuggester({ graph, metrics, planning, tools, past, log });
  const bindings = new BindingLearner({
    claims: (pause) => claimedBindings({ planning, tools }, pause),
    pause,
    log,
  });
  const later = (learn: () => void) => runs.learnLater(learn);
  const memories = new ClientMemories({
    discovery,
    graph,
    metrics,
    suggester,
    tools,
    mask,
    later,
    log,
  });
  const narrowed = new WeakMap<ToolDirectory, Workflows>();
  const workflows: Workflows = {
    tools,
    within(profile, principal) {
      const own = tools.within(profile, principal);
      if (own === tools) return workflows;
      // Predictions come from all clients, so they would reveal tools that a profile does not have.
      const made = narrowed.get(own) ?? {
        ...workflows,
        tools: own,
        warming: NO_WARMING,
        foresight: undefined,
        ...(principal && isNamed(principal) && memories.of(principal)),
      };
      narrowed.set(own, made);
      return made;
    },
    ...memoryOf({ past, planning, suggester, mask, later }),
    results,
    graph,
    metrics,
    bindings,
    shown: new ShownGuesses(),
    warming: parts.warming ?? NO_WARMING,
    foresight: parts.foresight,
    log,
    mask,
    clients: new RunClients(),
    dialogs: new Dialogs(),
    get runs() {
      return runs;
    },
    remember(traces) {
      planning.learn(traces);
      suggester.remember(traces);
      suggester.considerLearning();
      bindings.added(traces.filter(mayBind).length);
    },
    compare: (texts) => discovery.compare(texts, MODEL_PATIENCE_MS),
  };
  const runs = createRuns(workflows, parts.runs);
  return workflows;
}
