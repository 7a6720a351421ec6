import { type Kysely, sql } from 'kysely';

import type { EdgeCounts, GraphDelta, NodeCounts } from '../../../core/index.js';
import type { Tables } from '../../schema.js';
import { type EdgeCells, type NodeCells, storableDelta, toEdge, toNode } from './graph-rows.js';

/** About half a megabyte. Each page is read along the key, as one text instead of many columns. */
const PAGE_ROWS = 5_000;

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
        order by id limit ${PAGE_ROWS}
      ) as node`.execute(view);
    const page = JSON.parse(rows[0]?.page ?? '[]') as NodeCells[];
    for (const cells of page) nodes.push(toNode(cells));
    if (page.length < PAGE_ROWS) return nodes;
  }
}

async function readEdges(view: Kysely<Tables>): Promise<readonly EdgeCounts[]> {
  const edges: EdgeCounts[] = [];
  for (;;) {
    const last = edges.at(-1);
    const { rows } = await sql<{ page: string | null }>`
      select json_agg(json_build_array(from_id, to_id, type, observed, failed, last_at))::text
        as page
      from (
        select * from graph_edge where (from_id, to_id, type) >
          (${last?.from ?? ''}::text, ${last?.to ?? ''}::text, ${last?.type ?? ''}::text)
        order by from_id, to_id, type limit ${PAGE_ROWS}
      ) as edge`.execute(view);
    const page = JSON.parse(rows[0]?.page ?? '[]') as EdgeCells[];
    for (const cells of page) edges.push(toEdge(cells));
    if (page.length < PAGE_ROWS) return edges;
  }
}
