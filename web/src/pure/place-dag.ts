/** Places tasks in layers from left to right, with few crossings. */
export interface DagTask {
  readonly id: string;
  readonly needs: readonly string[];
  readonly parent?: string;
  /** Calls of the same script that ended before it began. */
  readonly after?: readonly string[];
}

export interface PlacedTask {
  readonly id: string;
  readonly layer: number;
  readonly row: number;
}

/** `then`: a script called it after the other. */
export type DagEdgeKind = 'needs' | 'calls' | 'then';

export interface PlacedDag {
  readonly tasks: readonly PlacedTask[];
  readonly edges: readonly {
    readonly from: string;
    readonly to: string;
    readonly kind: DagEdgeKind;
  }[];
  readonly layers: number;
  readonly rows: number;
}

export function placeDag(tasks: readonly DagTask[]): PlacedDag {
  const known = new Set(tasks.map(({ id }) => id));
  const edges = tasks.flatMap(({ id, needs, after = [], parent }) => [
    ...needs
      .filter((need) => known.has(need))
      .map((from) => ({ from, to: id, kind: 'needs' as const })),
    ...after
      .filter((one) => known.has(one))
      .map((from) => ({ from, to: id, kind: 'then' as const })),
    ...(parent !== undefined && known.has(parent)
      ? [{ from: parent, to: id, kind: 'calls' as const }]
      : []),
  ]);
  const layers = layersOf(tasks, edges);
  const columns: string[][] = [];
  for (const { id } of tasks) (columns[layers.get(id) ?? 0] ??= []).push(id);
  const rows = orderColumns(columns, edges);
  return {
    tasks: tasks.map(({ id }) => ({ id, layer: layers.get(id) ?? 0, row: rows.get(id) ?? 0 })),
    edges,
    layers: columns.length,
    rows: Math.max(0, ...columns.map((column) => column?.length ?? 0)),
  };
}

type DagEdge = PlacedDag['edges'][number];

function layersOf(
  tasks: readonly DagTask[],
  edges: readonly DagEdge[],
): ReadonlyMap<string, number> {
  const before = new Map<string, string[]>();
  for (const { from, to } of edges) before.set(to, [...(before.get(to) ?? []), from]);
  const layers = new Map<string, number>();
  const visit = (id: string, way: ReadonlySet<string>): number => {
    const known = layers.get(id);
    if (known !== undefined) return known;
    // A plan has no cycle; a damaged one must not stop the page.
    if (way.has(id)) return 0;
    const further = new Set([...way, id]);
    const layer = Math.max(-1, ...(before.get(id) ?? []).map((one) => visit(one, further))) + 1;
    layers.set(id, layer);
    return layer;
  };
  for (const { id } of tasks) visit(id, new Set());
  return layers;
}

/** Each column by the mean row of what its tasks come from. */
function orderColumns(
  columns: readonly (readonly string[] | undefined)[],
  edges: readonly DagEdge[],
): ReadonlyMap<string, number> {
  const rows = new Map<string, number>();
  for (const column of columns) {
    const own = (column ?? []).map((id, place) => {
      const sources = edges.filter(({ to }) => to === id).map(({ from }) => rows.get(from) ?? 0);
      const mean =
        sources.length > 0 ? sources.reduce((sum, one) => sum + one, 0) / sources.length : place;
      return { id, mean, place };
    });
    own
      .sort((a, b) => a.mean - b.mean || a.place - b.place)
      .forEach(({ id }, row) => rows.set(id, row));
  }
  return rows;
}
