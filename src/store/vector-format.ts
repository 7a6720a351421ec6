/**
 * How vectors go to the database and come back. They are read as big-endian floats without a head,
 * many in one piece: what `vector_send` gives after its own, and what a `bytea` column holds.
 */
import { type RawBuilder, sql } from 'kysely';

/** `vector`: pgvector's own type. `bytes`: PostgreSQL without the extension. */
export type VectorFormat = 'vector' | 'bytes';

const FLOAT_BYTES = 4;

/** As many digits bring every 32-bit float back as it was. */
const FLOAT_DIGITS = 9;

export const vectorBytes = (dimension: number): number => FLOAT_BYTES * dimension;

/** What one vector is sent as. */
export function vectorText(format: VectorFormat, vector: Float32Array): string {
  if (format === 'bytes') return floatBytes(vector).toString('base64');
  return `[${Array.from(vector, (value) => value.toPrecision(FLOAT_DIGITS)).join(',')}]`;
}

/** SQL that makes a value of the column from such a text. */
export function vectorFrom(format: VectorFormat, text: RawBuilder<unknown>): RawBuilder<unknown> {
  return format === 'bytes' ? sql`decode(${text}, 'base64')` : sql`${text}::vector`;
}

/** SQL that joins the vectors of many rows to one text for `readVectors`. */
export function joinedVectors(format: VectorFormat): RawBuilder<string | null> {
  const bytes = format === 'bytes' ? sql`vector` : sql`substring(vector_send(vector) from 5)`;
  return sql`encode(string_agg(${bytes}, ''::bytea), 'base64')`;
}

export function readVectors(joined: string, dimension: number): readonly Float32Array[] {
  const bytes = Buffer.from(joined, 'base64');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = bytes.byteLength / vectorBytes(dimension);
  return Array.from({ length: count }, (_, index) =>
    readVector(view, index * vectorBytes(dimension), dimension),
  );
}

function readVector(view: DataView, start: number, dimension: number): Float32Array {
  const vector = new Float32Array(dimension);
  for (let place = 0; place < dimension; place += 1) {
    vector[place] = view.getFloat32(start + place * FLOAT_BYTES);
  }
  return vector;
}

function floatBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.allocUnsafe(vectorBytes(vector.length));
  for (const [place, value] of vector.entries()) bytes.writeFloatBE(value, place * FLOAT_BYTES);
  return bytes;
}
