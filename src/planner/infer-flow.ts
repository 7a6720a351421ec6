import { type TaskId, type ToolId } from '../core/index.js';
import type { BindingMemory } from './binding-memory.js';
import { DependencyGraph } from './dependency-graph.js';
import { linkPair, type PairLink } from './pair-links.js';
import type { PlannableTool } from './plannable-tool.js';
import { profileTool, type ToolProfile } from './tool-profile.js';

/** A task as far as inference is concerned. */
export interface FlowTask {
  readonly id: TaskId;
  readonly tool: ToolId;
  /** Dependencies that are given and stay. */
  readonly needs: readonly TaskId[];
  /** Parameters that want a source. Without any the task only produces. */
  readonly open: readonly string[] | 'all';
}

export interface FlowLink extends PairLink {
  readonly from: TaskId;
  readonly to: TaskId;
}

/** A dependency that was left out because it would have closed a cycle. */
export interface BrokenLink {
  readonly from: TaskId;
  readonly to: TaskId;
  readonly score: number;
  /** The cycle it would have closed, from `from` over `to` back to `from`. */
  readonly cycle: readonly TaskId[];
}

export interface InferredFlow {
  /** Of each parameter the best source and those about as good, best first. */
  readonly links: readonly FlowLink[];
  readonly broken: readonly BrokenLink[];
}

export interface InferOptions {
  readonly tools: ReadonlyMap<ToolId, PlannableTool>;
  readonly memory: BindingMemory;
  /** How near two texts are in meaning, from 0 to 1, where that is known. */
  readonly similarity?: (a: string, b: string) => number | undefined;
}

/** Less likely sources are none. */
const THRESHOLD = 0.3;
/** Nothing to point at: only worth waiting for if it is likely. */
const LIKELY = 0.3;
/** Sources this close to the best one are about as good. */
const ABOUT_EQUAL = 0.08;

/**
 * Finds out which task's result goes into which open parameter. The best links are taken first, and
 * one that would close a cycle with better ones, or with given dependencies, is left out: so a cycle
 * always breaks at its weakest link, and the order in which tasks are listed does not matter.
 */
export function inferFlow(tasks: readonly FlowTask[], options: InferOptions): InferredFlow {
  const graph = givenDependencies(tasks);
  const best = new Map<string, number>();
  const links: FlowLink[] = [];
  const broken: BrokenLink[] = [];
  for (const link of candidates(tasks, options)) {
    const { from, to, score, param = '' } = link;
    const top = best.get(`${to}\n${param}`);
    if (top !== undefined && score < top - ABOUT_EQUAL) continue;
    const cycle = graph.add(from, to);
    if (cycle) {
      if (!broken.some((other) => other.from === from && other.to === to)) {
        broken.push({ from, to, score, cycle });
      }
      continue;
    }
    if (top === undefined) best.set(`${to}\n${param}`, score);
    links.push(link);
  }
  return { links, broken };
}

function givenDependencies(tasks: readonly FlowTask[]): DependencyGraph {
  const graph = new DependencyGraph();
  for (const { id, needs } of tasks.toSorted((a, b) => compare(a.id, b.id))) {
    for (const need of needs.toSorted(compare)) graph.add(need, id);
  }
  return graph;
}

/** Every link that could be, best first. */
function candidates(tasks: readonly FlowTask[], options: InferOptions): readonly FlowLink[] {
  const profiles = profilesOf(tasks, options.tools);
  const choices = tasks.length - 1;
  const found: FlowLink[] = [];
  for (const { id: to, tool, open } of tasks) {
    const consumer = profiles.get(tool);
    if (!consumer || open.length === 0) continue;
    const wanted = wantedOf(consumer, open);
    for (const { id: from, tool: source } of tasks) {
      const producer = profiles.get(source);
      if (!producer || from === to) continue;
      for (const link of linkPair({ producer, consumer }, wanted, { ...options, choices })) {
        const least = link.path === undefined ? LIKELY : THRESHOLD;
        if (link.score >= least) found.push({ ...link, from, to });
      }
    }
  }
  return found.toSorted((a, b) => b.score - a.score || compareEnds(a, b));
}

function wantedOf({ parameters }: ToolProfile, open: FlowTask['open']): ToolProfile['parameters'] {
  return open === 'all' ? parameters : parameters.filter(({ field }) => open.includes(field.path));
}

function profilesOf(
  tasks: readonly FlowTask[],
  tools: ReadonlyMap<ToolId, PlannableTool>,
): ReadonlyMap<ToolId, ToolProfile> {
  const ids = new Set(tasks.map(({ tool }) => tool));
  return new Map([...ids].map((id) => [id, profileTool(tools.get(id) ?? { id, inputSchema: {} })]));
}

function compareEnds(a: FlowLink, b: FlowLink): number {
  return compare(a.to, b.to) || compare(a.param ?? '', b.param ?? '') || compare(a.from, b.from);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
