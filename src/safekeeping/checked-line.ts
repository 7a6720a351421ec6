import { crc32 } from 'node:zlib';

import type { JsonValue } from '../core/index.js';

const CRC_CHARS = 8;

/** One line: the checksum of a JSON text, and the text, which holds no line break. */
export function encodeLine(value: unknown): string {
  const json = JSON.stringify(value);
  return `${asHex(crc32(json))} ${json}\n`;
}

/** Nothing if the checksum does not match. */
export function decodeLine(line: string): JsonValue | undefined {
  const json = line.slice(CRC_CHARS + 1);
  if (line[CRC_CHARS] !== ' ' || line.slice(0, CRC_CHARS) !== asHex(crc32(json))) return undefined;
  return JSON.parse(json) as JsonValue;
}

function asHex(crc: number): string {
  return crc.toString(16).padStart(CRC_CHARS, '0');
}
