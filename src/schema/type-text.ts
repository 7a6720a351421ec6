import type { JsonValue } from '../core/index.js';

const LITERAL_CHARACTERS = 40;
const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

export function nameOf(name: string): string {
  return IDENTIFIER.test(name) ? name : JSON.stringify(name);
}

/** `name: type`, or `name?: type` for what need not be given. */
export function propertyText(name: string, type: string, isRequired: boolean): string {
  return `${nameOf(name)}${isRequired ? '' : '?'}: ${type}`;
}

export function literal(value: JsonValue): string {
  const text = JSON.stringify(value) ?? 'unknown';
  return text.length > LITERAL_CHARACTERS ? `${text.slice(0, LITERAL_CHARACTERS - 1)}…` : text;
}

/** `A|B|null`, each once, null last. */
export function unite(types: readonly string[]): string {
  const distinct = new Set(types.filter((type) => type !== ''));
  const hasNull = distinct.delete('null');
  return [...distinct, ...(hasNull ? ['null'] : [])].join('|');
}

/** `A & B` of the parts that say something. */
export function intersect(types: readonly string[]): string {
  const telling = [...new Set(types.filter((type) => type !== 'unknown' && type !== ''))];
  const distinct = telling.length > 1 ? telling.filter((type) => type !== 'object') : telling;
  if (distinct.length <= 1) return distinct[0] ?? 'unknown';
  return distinct.map((type) => (type.includes('|') ? `(${type})` : type)).join(' & ');
}
