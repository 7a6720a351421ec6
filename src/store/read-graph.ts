import { type Kysely, sql } from 'kysely';

import type { EdgeCounts, GraphDelta, NodeCounts, ToolId } from '../core/index.js';
import { type EdgeCells, type NodeCells, storableDelta, toEdge, toNode } from './graph-rows.js';
import type { Tables } from './schema.js';

/** Rows of one answer. As JSON they are read several times faster than as columns. */
const PAGE_NODES = 5_000;
/** Those edges start from; most nodes have few. */
const PAGE_SOURCES = 1_000;

/** All of the graph, of one view of the database. */
export async function readGraph(view: Kysely<Tables>): Promise<GraphDelta> {
  return storableDelta({ nodes: await readNodes(view), edges: await readEdges(view) });
}

async function readNodes(view: Kysely<Tables>): Promise<readonly NodeCounts[]> {
  const nodes: NodeCounts[] = [];
  for (;;) {
    const { rows } = await sql<{ page: string | null }>`
      select json_agg(json_build_array(id, calls, failures, repeats, runs, total_ms, last_at))::text
        as page
      from (
        select * from graph_node where id > ${nodes.at(-1)?.id ?? ''}::text
        order by id limit ${PAGE_NODES}
      ) as node`.execute(view);
    const page = JSON.parse(rows[0]?.page ?? '[]') as NodeCells[];
    for (const cells of page) nodes.push(toNode(cells));
    if (page.length < PAGE_NODES) return nodes;
  }
}

async function readEdges(view: Kysely<Tables>): Promise<readonly EdgeCounts[]> {
  const edges: EdgeCounts[] = [];
  for (;;) {
    const { rows } = await sql<{ from_id: ToolId; page: string }>`
      select from_id,
        json_agg(json_build_array(to_id, type, observed, failed, last_at))::text as page
      from graph_edge where from_id > ${edges.at(-1)?.from ?? ''}::text
      group by from_id order by from_id limit ${PAGE_SOURCES}`.execute(view);
    for (const { from_id: from, page } of rows) {
      for (const cells of JSON.parse(page) as EdgeCells[]) edges.push(toEdge(from, cells));
    }
    if (rows.length < PAGE_SOURCES) return edges;
  }
}
