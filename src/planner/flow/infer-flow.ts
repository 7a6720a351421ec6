import type { TaskId, ToolId } from '../../core/index.js';
import { SOURCE_FROM } from '../../learning/index.js';
import type { PlannableTool } from '../plannable-tool.js';
import type { BindingMemory } from './binding-memory.js';
import { type BrokenLink, chooseFlowLinks } from './choose-links.js';
import { linkPair, type PairLink } from './pair-links.js';
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

/** Whatever has more sources than this about as good has none that means anything. */
const MOST_SOURCES = 8;

/** Finds out which task's result goes into which open parameter, whatever the order of the tasks. */
export function inferFlow(tasks: readonly FlowTask[], options: InferOptions): InferredFlow {
  const given = tasks.flatMap(({ id, needs }) => needs.map((need) => ({ from: need, to: id })));
  const { chosen, broken } = chooseFlowLinks(candidates(tasks, options), given);
  return { links: chosen, broken };
}

function candidates(tasks: readonly FlowTask[], options: InferOptions): readonly FlowLink[] {
  const profiles = profilesOf(tasks, options.tools);
  const { memory, similarity } = options;
  const pairOptions = { memory, similarity, choices: tasks.length - 1, least: SOURCE_FROM };
  return tasks.flatMap(({ id: to, tool, open }) => {
    const consumer = profiles.get(tool);
    if (!consumer || open.length === 0) return [];
    const wanted = wantedOf(consumer, open);
    const sources: Source[] = [];
    // Big plans call the same tools over and over.
    const known = new Map<ToolProfile, readonly PairLink[]>();
    for (const { id: from, tool: source } of tasks) {
      const producer = profiles.get(source);
      if (!producer || from === to) continue;
      const links = known.get(producer) ?? linkPair({ producer, consumer }, wanted, pairOptions);
      known.set(producer, links);
      for (const link of links) sources.push({ from, link });
    }
    return bestSources(sources).map(({ from, link }) => ({ ...link, from, to }));
  });
}

interface Source {
  readonly from: TaskId;
  readonly link: PairLink;
}

/** Of each parameter the best so many. */
function bestSources(sources: readonly Source[]): readonly Source[] {
  const counts = new Map<string | undefined, number>();
  return sources
    .toSorted((a, b) => b.link.score - a.link.score || (a.from < b.from ? -1 : 1))
    .filter(({ link }) => {
      const count = (counts.get(link.param) ?? 0) + 1;
      counts.set(link.param, count);
      return count <= MOST_SOURCES;
    });
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
