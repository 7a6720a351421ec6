import { type Kysely, sql, type Transaction } from 'kysely';

import type { JsonObject, ObservedOutput, OutputStore, ToolId } from '../../core/index.js';
import type { Tables } from '../schema.js';
import { attempt } from '../store-errors.js';
import { rowChunks } from './row-chunks.js';
import { storable } from './storable-text.js';

/** Observed outputs in SQL, the same for PGlite and PostgreSQL. */
export function createOutputStore(db: Kysely<Tables>): OutputStore {
  return {
    load: () => attempt('load observed outputs', () => selectOutputs(db)),

    save: (outputs) =>
      attempt('save observed outputs', () =>
        db.transaction().execute(async (trx) => {
          const rows = toRows(outputs);
          for (const chunk of rowChunks(rows, ({ schema }) => 200 + schema.length)) {
            await upsertOutputs(trx, chunk);
          }
        }),
      ),
  };
}

type OutputRow = Omit<Tables['tool_output'], 'updated_at'>;

/** One a tool, the last of those given, in one order: machines that save at once then take turns. */
function toRows(outputs: readonly ObservedOutput[]): readonly OutputRow[] {
  const rows = outputs.map(({ tool, definitionHash, schema, observations }) => ({
    tool: storable(tool),
    definition_hash: storable(definitionHash),
    schema: JSON.stringify(schema),
    observations,
  }));
  const byTool = new Map(rows.map((row) => [row.tool, row]));
  return [...byTool.keys()].toSorted().map((tool) => byTool.get(tool)!);
}

async function selectOutputs(db: Kysely<Tables>): Promise<readonly ObservedOutput[]> {
  const rows = await db
    .selectFrom('tool_output')
    .select(['tool', 'definition_hash', 'observations', sql<string>`schema::text`.as('schema')])
    .orderBy(sql`tool collate "C"`)
    .execute();
  return rows.map((row) => ({
    tool: row.tool as ToolId,
    definitionHash: row.definition_hash,
    schema: JSON.parse(row.schema) as JsonObject,
    observations: row.observations,
  }));
}

async function upsertOutputs(trx: Transaction<Tables>, rows: readonly OutputRow[]): Promise<void> {
  await sql`
    insert into tool_output (tool, definition_hash, schema, observations, updated_at)
    select tool, definition_hash, schema::json, observations, now() from unnest(
      ${rows.map(({ tool }) => tool)}::text[],
      ${rows.map((row) => row.definition_hash)}::text[],
      ${rows.map(({ schema }) => schema)}::text[],
      ${rows.map(({ observations }) => observations)}::int[]
    ) as row (tool, definition_hash, schema, observations)
    on conflict (tool) do update set
      definition_hash = excluded.definition_hash, schema = excluded.schema,
      observations = excluded.observations, updated_at = excluded.updated_at`.execute(trx);
}
