import type { JsonObject } from '../core/index.js';

/** Names a kept result, or what a path selects of it: `{"$result": "r_…", "path": "rows[0].id"}`. */
export interface ResultReference {
  readonly handle: string;
  /** Empty for all of it. */
  readonly path: string;
  /** What is wrong with the way it is written. */
  readonly problem?: string;
}

const SHAPE = 'beside "$result" only "path" may stand, a text such as "rows[0:20].name"';

/** Nothing if it is data that happens to have such a key. */
export function resultReference(value: JsonObject): ResultReference | undefined {
  // First, because taking an object apart copies it, and nearly all are data.
  if (typeof value['$result'] !== 'string') return undefined;
  const { $result: handle, path = '', ...rest } = value as { $result: string } & JsonObject;
  const isText = typeof path === 'string';
  if (isText && Object.keys(rest).length === 0) return { handle, path };
  return handle.startsWith('r_') ? { handle, path: isText ? path : '', problem: SHAPE } : undefined;
}

/** What it stands for among the results of a task. */
export function resultKey({ handle, path }: ResultReference): string {
  return `${handle} ${path}`;
}
