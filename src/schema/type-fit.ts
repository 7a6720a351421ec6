import type { SchemaField } from './schema-fields.js';

const NAMES = ['array', 'object', 'string', 'number', 'integer', 'boolean'];
/** Fits of every set of types with every other one, worked out when first asked for. */
const FITS = new Float64Array(4096).fill(Number.NaN);

/** A set of types as bits; 0 when unknown. */
function typeBits(types: readonly string[]): number {
  return types.reduce(
    (bits, type) => bits | (NAMES.includes(type) ? 1 << NAMES.indexOf(type) : 0),
    0,
  );
}

/** What a field may hold, as bits. */
export interface TypeBits {
  readonly own: number;
  /** Of the items, for an array. */
  readonly items: number;
}

export function typeBitsOf({ types, itemTypes }: SchemaField): TypeBits {
  return { own: typeBits(types), items: typeBits(itemTypes) };
}

/** How well a value goes where another is wanted: from 1, the same, over 0, unknown, to -1, cannot be. */
export function typeFit(from: TypeBits, to: TypeBits): number {
  const fit = fitOfBits(from.own, to.own);
  const areArrays = fit === 1 && (from.own & to.own & 1) === 1;
  if (!areArrays || from.items === 0 || to.items === 0) return fit;
  return fitOfBits(from.items, to.items) > 0 ? 1 : -0.5;
}

function fitOfBits(from: number, to: number): number {
  const at = from * 64 + to;
  const known = FITS[at] ?? Number.NaN;
  if (!Number.isNaN(known)) return known;
  return (FITS[at] = from === 0 || to === 0 ? 0 : bestFit(namesOf(from), namesOf(to)));
}

function namesOf(bits: number): readonly string[] {
  return NAMES.filter((_, place) => (bits & (1 << place)) !== 0);
}

function bestFit(from: readonly string[], to: readonly string[]): number {
  return Math.max(...from.flatMap((one) => to.map((other) => fitOf(one, other))));
}

function fitOf(from: string, to: string): number {
  if (from === to || (from === 'integer' && to === 'number')) return 1;
  if (isNumeric(from) && isNumeric(to)) return 0.5;
  // Servers are lax about ids: what one gives as a number the next one takes as text.
  if (to === 'string' && isScalar(from)) return 0.2;
  if (from === 'string' && isNumeric(to)) return -0.2;
  return isScalar(from) === isScalar(to) ? -0.6 : -1;
}

const isNumeric = (type: string) => type === 'number' || type === 'integer';
const isScalar = (type: string) => type !== 'array' && type !== 'object';
