/**
 * How vectors go to the database and come back: always in binary form, since reading numbers from
 * text is what takes the time. Both drivers send bytes as the binary form of the parameter's type.
 */
import { type RawBuilder, sql } from 'kysely';

/** `vector`: pgvector's own type. `bytes`: PostgreSQL without the extension. */
export type VectorFormat = 'vector' | 'bytes';

const FLOAT_BYTES = 4;

/** Type id of `float4`, and the head of an array of one dimension whose first place is 1. */
const FLOAT_TYPE = 700;
const ARRAY_HEAD_BYTES = 20;

export const vectorBytes = (dimension: number): number => FLOAT_BYTES * dimension;

/** SQL of one vector as a value of the column. */
export function vectorValue(format: VectorFormat, vector: Float32Array): RawBuilder<unknown> {
  return format === 'bytes'
    ? sql`${floatBytes(vector)}::bytea`
    : sql`${floatArrayBytes(vector)}::float4[]::vector`;
}

/**
 * SQL that joins the vectors of many rows to one text for `readVectors`: big-endian floats, which
 * is what a `bytea` column holds and what `vector_send` gives after its head.
 */
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

function floatBytes(vector: Float32Array): Uint8Array {
  const bytes = new Uint8Array(vectorBytes(vector.length));
  const view = new DataView(bytes.buffer);
  for (let place = 0; place < vector.length; place += 1) {
    view.setFloat32(place * FLOAT_BYTES, vector[place]!);
  }
  return bytes;
}

/** The binary form of `float4[]`: a head, then length and value of each. */
function floatArrayBytes(vector: Float32Array): Uint8Array {
  const bytes = new Uint8Array(ARRAY_HEAD_BYTES + 2 * vectorBytes(vector.length));
  const view = new DataView(bytes.buffer);
  const head = [1, 0, FLOAT_TYPE, vector.length, 1];
  for (const [place, value] of head.entries()) view.setInt32(place * 4, value);
  for (let place = 0; place < vector.length; place += 1) {
    const start = ARRAY_HEAD_BYTES + 2 * place * FLOAT_BYTES;
    view.setInt32(start, FLOAT_BYTES);
    view.setFloat32(start + FLOAT_BYTES, vector[place]!);
  }
  return bytes;
}
