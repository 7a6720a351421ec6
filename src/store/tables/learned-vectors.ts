import { type Kysely, sql } from 'kysely';

import type { StoredVectors } from '../../core/index.js';
import type { Tables } from '../schema.js';
import { storable } from './storable-text.js';

/** The model in use and the one to go back to. */
const KEPT = 2;

export async function writeVectors(
  db: Kysely<Tables>,
  { model, at, space, tools, weights }: StoredVectors,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`
      insert into tool_vectors (model, at, space, tools, weights)
      values (${storable(model)}, ${at.toISOString()}::timestamptz, ${storable(space)},
        ${storable(JSON.stringify(tools))}::json, ${weights}::bytea)
      on conflict (model) do update set at = excluded.at, space = excluded.space,
        tools = excluded.tools, weights = excluded.weights`.execute(trx);
    await sql`
      delete from tool_vectors where model not in (
        select model from tool_vectors order by at desc, model desc limit ${KEPT})`.execute(trx);
  });
}

export async function readLearnedVectors(
  db: Kysely<Tables>,
  model: string,
): Promise<StoredVectors | undefined> {
  const { rows } = await sql<{ at: Date; space: string; tools: string; weights: string }>`
    select at, space, tools::text as tools, encode(weights, 'base64') as weights
    from tool_vectors where model = ${storable(model)}`.execute(db);
  const [row] = rows;
  return (
    row && {
      model,
      at: row.at,
      space: row.space,
      // Of our own writing.
      tools: JSON.parse(row.tools) as StoredVectors['tools'],
      weights: new Uint8Array(Buffer.from(row.weights, 'base64')),
    }
  );
}
