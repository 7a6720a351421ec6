import type { TaskId, ToolId } from '../../core/index.js';
import { SOURCE_FROM } from '../../learning/index.js';
import type { PlannableTool } from '../plannable-tool.js';
import type { BindingMemory } from './binding-memory.js';
import type { BindingCalibration } from './calibrate-bindings.js';
import { type BrokenLink, chooseFlowLinks } from './choose-links.js';
import { DependencyGraph } from './dependency-graph.js';
import { linkPair, type PairDraft } from './pair-links.js';
import { profileTool, type ToolProfile } from './tool-profile.js';
import { type FlowLink, type Source, type Taken, weighSources } from './weigh-sources.js';

/** A task as far as inference is concerned. */
export interface FlowTask {
  readonly id: TaskId;
  readonly tool: ToolId;
  /** Dependencies that are given and stay. */
  readonly needs: readonly TaskId[];
  /** Parameters that want a source. Without any the task only produces. */
  readonly open: readonly string[] | 'all';
  /** The results that its given arguments refer to. */
  readonly takes?: readonly Taken[];
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
  /** How far probabilities came true in this store, if PML knows it. */
  readonly calibration?: BindingCalibration;
}

/** If a parameter has more equally good sources than this, none of them is meaningful. */
const MOST_SOURCES = 8;

/** Finds out which task's result goes into which open parameter, whatever the order of the tasks. */
export function inferFlow(tasks: readonly FlowTask[], options: InferOptions): InferredFlow {
  const given = tasks.flatMap(({ id, needs }) => needs.map((need) => ({ from: need, to: id })));
  const { chosen, broken } = chooseFlowLinks(candidates(tasks, options), given);
  return { links: chosen, broken };
}

function candidates(tasks: readonly FlowTask[], options: InferOptions): readonly FlowLink[] {
  const groups = sourcesOf(tasks, options);
  const waitsFor = waiting(tasks);
  const alone = groups.map((group) =>
    weighSources(group, { takenBy: () => [], waitsFor, isDue: () => false }),
  );
  const takenBy = takenIn(tasks, alone);
  const isDue = dueIn(tasks);
  const { calibration } = options;
  return groups
    .flatMap((group) => weighSources(group, { takenBy, waitsFor, isDue, calibration }))
    .filter(({ score }) => score >= SOURCE_FROM);
}

/** The possible sources of each open parameter. */
function sourcesOf(
  tasks: readonly FlowTask[],
  { tools, memory, similarity }: InferOptions,
): readonly (readonly Source[])[] {
  const profiles = profilesOf(tasks, tools);
  const pairOptions = { memory, similarity, choices: tasks.length - 1, least: SOURCE_FROM };
  return tasks.flatMap(({ id: to, tool, open }) => {
    const consumer = profiles.get(tool);
    if (!consumer || open.length === 0) return [];
    const wanted = wantedOf(consumer, open);
    const byParam = new Map<string | undefined, Source[]>();
    // Big plans call the same tools over and over.
    const known = new Map<ToolProfile, readonly PairDraft[]>();
    for (const { id: from, tool: source } of tasks) {
      const producer = profiles.get(source);
      if (!producer || from === to) continue;
      const drafts = known.get(producer) ?? linkPair({ producer, consumer }, wanted, pairOptions);
      known.set(producer, drafts);
      for (const draft of drafts) {
        const group = byParam.get(draft.param);
        if (group) group.push({ from, to, producer, draft });
        else byParam.set(draft.param, [{ from, to, producer, draft }]);
      }
    }
    return [...byParam.values()].map(bestSources);
  });
}

/** The best sources, at most `MOST_SOURCES`. */
function bestSources(sources: readonly Source[]): readonly Source[] {
  const scoreOf = ({ draft }: Source) => draft.scoreOf(1 / (1 + Math.exp(-draft.logOdds)));
  return sources
    .map((source) => ({ source, score: scoreOf(source) }))
    .toSorted((a, b) => b.score - a.score || (a.source.from < b.source.from ? -1 : 1))
    .slice(0, MOST_SOURCES)
    .map(({ source }) => source);
}

/** Whether a task waits for another task by the given dependencies, directly or indirectly. */
function waiting(tasks: readonly FlowTask[]): (task: TaskId, other: TaskId) => boolean {
  const graph = new DependencyGraph();
  for (const { id, needs } of tasks) for (const need of needs) graph.add(need, id);
  return (task, other) => graph.isBefore(other, task);
}

/** Tasks that take results of other tasks, but whose own result no task takes. */
function dueIn(tasks: readonly FlowTask[]): (task: TaskId) => boolean {
  const taken = new Set(tasks.flatMap(({ needs }) => needs));
  const due = new Set(
    tasks.filter(({ id, needs }) => needs.length > 0 && !taken.has(id)).map(({ id }) => id),
  );
  return (task) => due.has(task);
}

/**
 * The values that each task takes: its given arguments, and the likeliest source of each parameter.
 */
function takenIn(
  tasks: readonly FlowTask[],
  groups: readonly (readonly FlowLink[])[],
): (task: TaskId) => readonly Taken[] {
  const taken = new Map<TaskId, readonly Taken[]>(
    tasks.map(({ id, needs, takes = needs.map((from) => ({ from })) }) => [id, takes]),
  );
  for (const group of groups) {
    const best = group.toSorted((a, b) => b.score - a.score)[0];
    if (!best || best.score < SOURCE_FROM) continue;
    taken.set(best.to, [...(taken.get(best.to) ?? []), { from: best.from, path: best.path }]);
  }
  return (task) => taken.get(task) ?? [];
}

function wantedOf({ parameters }: ToolProfile, open: FlowTask['open']): ToolProfile['parameters'] {
  return open === 'all' ? parameters : parameters.filter(({ field }) => open.includes(field.path));
}

export function profilesOf(
  tasks: readonly FlowTask[],
  tools: ReadonlyMap<ToolId, PlannableTool>,
): ReadonlyMap<ToolId, ToolProfile> {
  const ids = new Set(tasks.map(({ tool }) => tool));
  return new Map([...ids].map((id) => [id, profileTool(tools.get(id) ?? { id, inputSchema: {} })]));
}
