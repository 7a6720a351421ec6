import { type Kysely, type RawBuilder, sql } from 'kysely';

import type { Tables } from '../schema.js';
import type { TraceRow } from './experience-rows.js';

/** The newest executions among those that are `older` than some moment. */
export async function selectTraces(
  db: Kysely<Tables>,
  older: RawBuilder<boolean>,
  count: number,
): Promise<readonly TraceRow[]> {
  const { rows } = await sql<TraceRow>`
    select id, intent, at, source, ok, group_name, run, ms, decisions::text as decisions,
      called_before::text as called_before, has_origins, owner,
      (select json_agg(json_build_array(call.tool, call.ok, call.ms, call.start_ms, call.parent,
          call.error_type, call.args, call.origins, call.error_message) order by position)
        from execution_call as call where call.trace = execution_trace.id)::text as calls,
      (select json_agg(json_build_array(producer, consumer, field, param, part, origin)
          order by position)
        from execution_binding as binding where binding.trace = execution_trace.id)::text
        as bindings
    from execution_trace where ${older}
    order by at desc, id desc limit ${count}`.execute(db);
  return rows;
}
