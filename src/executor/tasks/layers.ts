import type { RunState, TaskId, TaskState } from '../../core/index.js';

/** Each task one after the last it needs. Needs of a plan have no cycles. */
export function layersOf(
  { tasks }: RunState,
  byId: ReadonlyMap<TaskId, TaskState>,
): ReadonlyMap<TaskId, number> {
  const layers = new Map<TaskId, number>();
  const layerOf = (id: TaskId): number => {
    const known = layers.get(id);
    if (known !== undefined) return known;
    const needs = byId.get(id)?.task.needs ?? [];
    const layer = needs.reduce((most, need) => Math.max(most, layerOf(need) + 1), 0);
    layers.set(id, layer);
    return layer;
  };
  for (const { task } of tasks) layerOf(task.id);
  return layers;
}
