import {
  escapeHidden,
  hasHidden,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  stripHidden,
} from '../core/index.js';

/** Deeper than any schema; what is read recursively must end. */
export const MOST_DEFINITION_LEVELS = 200;

/** A value without hidden characters, and where they were. */
export interface Cleaned<T> {
  readonly value: T;
  /** Paths such as `inputSchema.properties.path.description`. */
  readonly hidden: readonly string[];
  /** Whether one was in the name of a field, which a caller would have to send as it was. */
  readonly isNameHidden: boolean;
}

/**
 * Strips hidden characters from every text inside. In names of fields they are escaped: a stripped
 * name could become the name of another field. What has none is given back as it is; what is nested
 * too deeply is cut.
 */
export function cleanJson<T>(value: T): Cleaned<T> {
  const hidden: string[] = [];
  let isNameHidden = false;

  let level = 0;
  const visit = (one: JsonValue, path: string): JsonValue => {
    if (typeof one === 'string') return cleanText(one, path);
    if (level === MOST_DEFINITION_LEVELS) return null;
    level++;
    const clean = visitParts(one, path);
    level--;
    return clean;
  };
  const visitParts = (one: JsonValue, path: string): JsonValue => {
    if (Array.isArray(one)) return cleanList(one, path);
    return isJsonObject(one) ? cleanObject(one, path) : one;
  };
  const cleanText = (text: string, path: string): string => {
    const clean = stripHidden(text);
    if (clean !== text) hidden.push(path);
    return clean;
  };
  const cleanList = (list: readonly JsonValue[], path: string): readonly JsonValue[] => {
    const clean = list.map((item, index) => visit(item, `${path}[${index}]`));
    return clean.every((item, index) => item === list[index]) ? list : clean;
  };
  const cleanObject = (object: JsonObject, path: string): JsonObject => {
    const entries = Object.entries(object);
    const clean = entries.map(([key, item]): [string, JsonValue] => {
      const name = escapeHidden(key);
      const place = path === '' ? name : `${path}.${name}`;
      if (name !== key) {
        isNameHidden = true;
        hidden.push(place);
      }
      return [name, visit(item, place)];
    });
    const isSame = clean.every(
      ([key, item], index) => key === entries[index]?.[0] && item === entries[index]?.[1],
    );
    return isSame ? object : Object.fromEntries(clean);
  };

  const clean = visit(value as JsonValue, '') as T;
  return { value: clean, hidden, isNameHidden };
}

/** Items of a list that clients name when they ask for one, by the fields they name them with. */
export function cleanItems(
  items: readonly JsonObject[],
  nameField: string,
): { readonly items: readonly JsonObject[]; readonly hidden: readonly string[] } {
  const hidden: string[] = [];
  const kept = items.flatMap((item) => {
    const name = item[nameField];
    const label = typeof name === 'string' ? escapeHidden(name) : '';
    const clean = cleanJson(item);
    hidden.push(...clean.hidden.map((path) => `${label} ${path}`));
    // Under another name its server would not know it, or take it for another one.
    const isNamed = typeof name !== 'string' || !hasHidden(name);
    return isNamed && !clean.isNameHidden ? [clean.value] : [];
  });
  return { items: hidden.length === 0 ? items : kept, hidden };
}
