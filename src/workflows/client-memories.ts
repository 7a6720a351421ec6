import { type JsonObject, type Logger, type PastCall, type Principal } from '../core/index.js';
import type { ClientPast, Discovery } from '../discovery/index.js';
import type { GraphMetrics, KnowledgeGraph } from '../graph/index.js';
import { keepArgs } from '../plan/index.js';
import type { Suggester } from '../suggest/index.js';
import type { ToolDirectory } from '../tools/index.js';
import { Planning } from './plan/planning.js';
import { suggesterPorts } from './suggest/create-suggester.js';
import type { Workflows } from './workflows.js';

/** The parts of `Workflows` that hold words and values of past requests. */
export type ClientMemory = Pick<
  Workflows,
  'past' | 'planning' | 'suggester' | 'executed' | 'executedAlone' | 'recovered'
>;

interface MemoryParts {
  readonly past: () => ClientPast;
  readonly planning: Planning;
  readonly suggester: Suggester;
  readonly mask: (text: string) => string;
  /** Learns when the client has its answer; in the order of the calls. */
  readonly later: (learn: () => void) => void;
}

export function memoryOf({ past, planning, suggester, mask, later }: MemoryParts): ClientMemory {
  const executed: Workflows['executed'] = (trail, execution) => {
    trail.current = past().executed(trail.current, execution);
  };
  return {
    past,
    planning,
    suggester,
    executed,
    executedAlone(trail, call: PastCall, args: JsonObject) {
      later(() => {
        const kept = past().isBusy ? {} : keepArgs(args, mask);
        const whole = Object.keys(kept).length === 0 ? call : { ...call, args: kept };
        executed(trail, { calls: [whole], bindings: [] });
      });
    },
    recovered: (runs) => past().recover(runs),
  };
}

export interface ClientMemoriesParts {
  readonly discovery: Discovery;
  readonly graph: KnowledgeGraph;
  readonly metrics: GraphMetrics;
  /** Of the user. */
  readonly suggester: Suggester;
  readonly tools: ToolDirectory;
  readonly mask: (text: string) => string;
  readonly later: MemoryParts['later'];
  readonly log: Logger;
}

/**
 * A memory for each named client. Counts that hold no words (the graph, learned weights) are those of all clients.
 */
export class ClientMemories {
  readonly #parts: ClientMemoriesParts;
  readonly #all = new Map<Principal, ClientMemory>();

  constructor(parts: ClientMemoriesParts) {
    this.#parts = parts;
  }

  of(owner: Principal): ClientMemory {
    const known = this.#all.get(owner);
    if (known) return known;
    const memory = this.#create(owner);
    this.#all.set(owner, memory);
    for (const gone of this.#parts.discovery.evictOwned()) this.#all.delete(gone);
    return memory;
  }

  #create(owner: Principal): ClientMemory {
    const { discovery, graph, metrics, tools, mask, later, log } = this.#parts;
    // What results look like is its own as well: names of their fields may be values.
    const planning = new Planning(tools.catalog, log);
    const own = discovery.ownedBy(owner, (traces) => {
      planning.learn(traces);
      suggester.remember(traces);
    });
    // Brings the index up to date, as every way to the memory of the user does.
    const past = () => (tools.discovery.index, own);
    const suggester = this.#parts.suggester.sharing(
      suggesterPorts({ graph, metrics, planning, tools: liveTools(tools, owner), past, log }),
    );
    return memoryOf({ past, planning, suggester, mask, later });
  }
}

/** The tools of a client by the configuration of this moment. */
function liveTools(tools: ToolDirectory, owner: Principal) {
  const own = () => tools.within(undefined, owner);
  return {
    catalog: tools.catalog,
    get capabilities() {
      return own().capabilities;
    },
    get discovery() {
      return tools.discovery;
    },
    get settings() {
      return own().settings;
    },
    isWithin: (id: Parameters<ToolDirectory['isWithin']>[0]) => own().isWithin(id),
  };
}
