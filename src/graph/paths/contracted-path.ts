import { type EdgeType, isCapability, type ToolId } from '../../core/index.js';
import type { CapabilityShape } from '../capability-shape.js';
import type { KnowledgeGraph } from '../knowledge-graph.js';
import { FLOW, NeighbourIndex, type EdgeWay } from './neighbour-index.js';
import { type PathEnds, type Path, strongestPath } from './shortest-path.js';

export interface ContractedPath {
  /** Tools and whole capabilities, one after the other. */
  readonly steps: readonly ToolId[];
  /** The same with every capability replaced by the calls it makes. */
  readonly calls: readonly ToolId[];
  readonly cost: number;
}

export interface ContractedOptions {
  /** Edges to go along. */
  readonly types?: readonly EdgeType[];
  /** What may be a step; always the same while paths are looked for. */
  readonly isStep?: (id: ToolId) => boolean;
}

/** Capabilities that would make it longer stay closed. */
const MOST_CALLS = 500;

/**
 * Finds ways on which a capability is one step. It is entered where its first calls are and left only
 * when all of it is done, so nothing follows from the middle of it. Its tools can be steps of their own
 * as well. What is found is then opened up to the calls it comes to.
 */
export class ContractedPaths {
  readonly #graph: KnowledgeGraph;
  readonly #types: readonly EdgeType[];
  readonly #isStep: (id: ToolId) => boolean;
  #shapes: readonly CapabilityShape[] = [];
  #byId: ReadonlyMap<ToolId, CapabilityShape> = new Map();
  /** Capabilities by their first and by their last calls. */
  #entries: ReadonlyMap<ToolId, readonly ToolId[]> = new Map();
  #exits: ReadonlyMap<ToolId, readonly ToolId[]> = new Map();
  #index: NeighbourIndex;

  constructor(
    graph: KnowledgeGraph,
    { types = FLOW, isStep = () => true }: ContractedOptions = {},
  ) {
    this.#graph = graph;
    this.#types = types;
    this.#isStep = isStep;
    this.#index = this.#newIndex();
  }

  find(from: ToolId, to: ToolId): ContractedPath | undefined {
    this.#followCapabilities();
    return this.#opened(
      strongestPath(this.#index, this.#ends(from, this.#entries), this.#ends(to, this.#exits)),
    );
  }

  /** The way from any of several to one, where no capability stands for either end. */
  lead(from: Iterable<ToolId>, to: ToolId): ContractedPath | undefined {
    this.#followCapabilities();
    const starts = new Map(Array.from(from, (id) => [id, 0] as const));
    return this.#opened(strongestPath(this.#index, starts, to));
  }

  /** Capabilities that end with a call of it, so that what it gives may be what they give. */
  endingWith(tool: ToolId): readonly ToolId[] {
    this.#followCapabilities();
    return this.#exits.get(tool) ?? [];
  }

  #opened(found: Path | undefined): ContractedPath | undefined {
    return found && { steps: found.nodes, calls: this.#open(found.nodes), cost: found.cost };
  }

  #followCapabilities(): void {
    if (this.#shapes === this.#graph.shapes) return;
    this.#shapes = this.#graph.shapes;
    this.#byId = new Map(this.#shapes.map((shape) => [shape.id, shape]));
    this.#entries = capabilitiesBy(this.#shapes, ({ first }) => first);
    this.#exits = capabilitiesBy(this.#shapes, ({ last }) => last);
    this.#index = this.#newIndex();
  }

  #newIndex(): NeighbourIndex {
    const graph = this.#graph;
    return new NeighbourIndex({
      get version() {
        return graph.version;
      },
      from: (id) => this.#waysFrom(id),
      versionOf: (id) =>
        Math.max(...[id, ...this.#lastCalls(id)].map((one) => this.#graph.changedAt(one))),
    });
  }

  *#waysFrom(id: ToolId): Generator<EdgeWay> {
    const inside = new Set(this.#byId.get(id)?.calls);
    for (const leaving of [id, ...this.#lastCalls(id)]) {
      for (const { to, weight } of this.#graph.out(leaving, this.#types)) {
        if (to === id || inside.has(to)) continue;
        for (const entered of [to, ...(this.#entries.get(to) ?? [])]) {
          if (entered !== id && this.#isStep(entered)) yield [entered, weight];
        }
      }
    }
  }

  #lastCalls(id: ToolId): readonly ToolId[] {
    if (!isCapability(id)) return [];
    const shape = this.#byId.get(id);
    return shape ? callsAt(shape, shape.last) : [];
  }

  /** A capability stands for a tool it begins or ends with, at the cost of the edge between them. */
  #ends(id: ToolId, capabilities: ReadonlyMap<ToolId, readonly ToolId[]>): PathEnds {
    const whole = (capabilities.get(id) ?? []).map((capability) => {
      const weight = this.#graph.edge(capability, id, 'contains')?.weight ?? 1;
      return [capability, 1 / weight] as const;
    });
    return new Map([[id, 0], ...whole]);
  }

  /** What is inside a capability that is being opened, as its own name may be, stays closed. */
  #open(steps: readonly ToolId[], around: ReadonlySet<ToolId> = new Set()): readonly ToolId[] {
    let room = Math.max(0, MOST_CALLS - steps.length);
    return steps.flatMap((step) => {
      const calls = around.has(step) ? [] : (this.#byId.get(step)?.calls ?? []);
      if (calls.length === 0 || calls.length > room) return [step];
      const opened = this.#open(calls, new Set([...around, step])).slice(0, room);
      room -= opened.length;
      return opened;
    });
  }
}

function capabilitiesBy(
  shapes: readonly CapabilityShape[],
  places: (shape: CapabilityShape) => readonly number[],
): ReadonlyMap<ToolId, readonly ToolId[]> {
  const found = new Map<ToolId, ToolId[]>();
  for (const shape of shapes) {
    for (const call of new Set(callsAt(shape, places(shape)))) {
      found.set(call, [...(found.get(call) ?? []), shape.id]);
    }
  }
  return found;
}

function callsAt({ calls }: CapabilityShape, places: readonly number[]): readonly ToolId[] {
  return places.flatMap((place) => calls[place] ?? []);
}
