import type { Generated, GeneratedAlways } from 'kysely';

import type { ToolChange, ToolStatus } from '../core/index.js';

/**
 * The tables as queries see them. Columns of type `json` are written and read as text: `jsonb`
 * would reorder keys, and a definition must leave exactly as it came.
 */
export interface Tables {
  schema_migration: {
    version: number;
    name: string;
    applied_at: Generated<Date>;
  };
  server: {
    name: string;
    config_hash: string;
    listing: string;
    eras: string;
    probed_at: Date;
    first_seen: Date;
    last_seen: Date;
  };
  tool: {
    id: string;
    server: string;
    /** Place in the server's own list. */
    position: number;
    definition: string;
    hash: string;
    status: ToolStatus;
    reason: string | null;
    first_seen: Date;
    last_seen: Date;
  };
  tool_change: {
    id: GeneratedAlways<number>;
    tool: string;
    at: Date;
    kind: ToolChange['kind'];
    old_hash: string | null;
    new_hash: string | null;
    diff: string;
  };
}

/** Tables that only ever grow: fewer rows than before means that data was lost. */
export const APPEND_ONLY_TABLES = ['schema_migration', 'tool_change'] as const;

export const COUNTED_TABLES = ['server', 'tool', 'tool_change'] as const;
