import { isJsonObject, type JsonValue, PmlError } from '../core/index.js';

const SHOWN_KEYS = 20;

/** Follows `a.b[3]`, `rows[0:20]` (a slice) and `rows[0:20].name` (a field of each). */
export function selectPath(value: JsonValue, path: string): JsonValue {
  const steps = path.match(/[^.[\]]+|\[\d*:?\d*\]/g) ?? [];
  let found = value;
  let isSlice = false;
  for (const step of steps) {
    const slice = /^\[(\d*):(\d*)\]$/.exec(step);
    if (slice && Array.isArray(found)) {
      const [, from, to] = slice;
      found = (found as JsonValue[]).slice(Number(from || 0), Number(to || found.length));
      isSlice = true;
    } else if (isSlice && Array.isArray(found)) {
      found = (found as JsonValue[]).map((item) => follow(item, step, path));
    } else {
      found = follow(found, step, path);
    }
  }
  return found;
}

function follow(value: JsonValue, step: string, path: string): JsonValue {
  const found = childOf(value, step);
  if (found !== undefined) return found;
  throw new PmlError(
    'BAD_REQUEST',
    `Nothing at "${step}" of "${path}"; there is ${describe(value)}`,
  );
}

function childOf(value: JsonValue, step: string): JsonValue | undefined {
  if (Array.isArray(value)) {
    const index = /^\[?(\d+)\]?$/.exec(step)?.[1];
    return index === undefined ? undefined : (value as JsonValue[])[Number(index)];
  }
  return isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

function describe(value: JsonValue): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (!isJsonObject(value)) return value === null ? 'null' : typeof value;
  return `keys ${Object.keys(value).slice(0, SHOWN_KEYS).join(', ')}`;
}
