import { existsSync, readFileSync } from 'node:fs';

import type * as z from 'zod';

/** Rows of a JSON Lines file; an error names the file and the line. */
export function readRows(path: string): readonly unknown[] {
  if (!existsSync(path)) throw new Error(`${path}: no such file`);
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line, at) => {
      if (line.trim() === '') return [];
      try {
        return [JSON.parse(line) as unknown];
      } catch (error) {
        throw new Error(`${path}:${at + 1}: not JSON`, { cause: error });
      }
    });
}

/** The same, checked. Only what the schema names is read. */
export function parseRows<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
): readonly z.output<Schema>[] {
  return readRows(path).map((row, at) => {
    const { data, error } = schema.safeParse(row);
    const [issue] = error?.issues ?? [];
    if (issue) throw new Error(`${path}, row ${at + 1}: ${issue.path.join('.')}: ${issue.message}`);
    return data as z.output<Schema>;
  });
}
