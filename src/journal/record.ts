/**
 * One append is one line of a segment, so it is there as a whole or not at all:
 *
 *     CRC WRITE RUN SEQ KIND STARTED ENDED LENGTH CRC [event,…]\n
 *
 * The first checksum covers the rest of the head, the second one the events. Opening reads heads
 * and sums up bodies; it parses no JSON but the name of the run. A broken body still tells whose it
 * was and where the next line begins. No byte of a line is zero: zeros are what never got to disk.
 */
import { crc32 } from 'node:zlib';

import { PmlError, type RunEvent, type RunId } from '../core/index.js';

/** `fold` begins with a checkpoint and replaces what came before; `forgotten` ends all of its run. */
export type RecordKind = 'events' | 'fold' | 'forgotten';

export interface RecordHead {
  readonly run: RunId;
  /** Counts the appends of a run from 1, so that a missing one is noticed. */
  readonly seq: number;
  readonly kind: RecordKind;
  /** Whether everything before it was on disk when it was written: it begins what one sync covers. */
  readonly startsWrite: boolean;
  readonly startedAt: number;
  /** Of the run as it is after this record. */
  readonly endedAt: number | undefined;
}

export interface ReadHead extends RecordHead {
  readonly headBytes: number;
  /** Without the newline behind it. */
  readonly bodyBytes: number;
  readonly bodyCrc: number;
}

/** The first line of a segment. */
export interface SegmentHead {
  /** Number of the segment before it, 0 if there is none, and how much of that one counts. */
  readonly previous: { readonly to: number; readonly bytes: number };
}

export const NEWLINE = 10;
/** More than the longest head: a name may take `MAX_RUN_BYTES`, the numbers far less. */
export const MAX_HEAD_BYTES = 2_048;
const MAX_RUN_BYTES = 1_024;
const SPACE = 32;
const HEAD_FIELDS = 9;
const CRC_CHARS = 8;
const HEX = /^[\da-f]{8}$/;
const WRITE_MARKS = { first: '+', later: '.' } as const;
const SEGMENT_MARK = 'pml-journal';
const VERSION = '1';

/** What follows the last checkpoint; what a checkpoint replaces need not be written at all. */
export function encodeBody(events: readonly RunEvent[]): Buffer {
  const last = events.findLastIndex(({ type }) => type === 'run-checkpoint');
  return Buffer.from(`${JSON.stringify(last < 0 ? events : events.slice(last))}\n`);
}

/** The line in two parts, because a body may be large and need not be copied. */
export function encodeRecord(head: RecordHead, body: Buffer): readonly [Buffer, Buffer] {
  const { run, seq, kind, startedAt, endedAt = '-' } = head;
  const mark = head.startsWrite ? WRITE_MARKS.first : WRITE_MARKS.later;
  const bytes = body.length - 1;
  const sum = asHex(crc32(body.subarray(0, bytes)));
  const fields = `${mark} ${encodeRun(run)} ${seq} ${kind} ${startedAt} ${endedAt} ${bytes} ${sum} `;
  return [Buffer.from(withChecksum(fields)), body];
}

/** The head at the start of the bytes, nothing if there is no unbroken one. */
export function parseHead(bytes: Buffer): ReadHead | undefined {
  const headBytes = endOfHead(bytes);
  if (headBytes === undefined) return undefined;
  const fields = checkedText(bytes.subarray(0, headBytes))?.split(' ');
  if (!fields) return undefined;
  const [write, run, seq, kind, startedAt, endedAt, bodyBytes, bodyCrc] = fields as HeadFields;
  return {
    run: JSON.parse(run) as RunId,
    seq: Number(seq),
    kind,
    startsWrite: write === WRITE_MARKS.first,
    startedAt: Number(startedAt),
    endedAt: endedAt === '-' ? undefined : Number(endedAt),
    headBytes,
    bodyBytes: Number(bodyBytes),
    bodyCrc: Number.parseInt(bodyCrc, 16),
  };
}

type HeadFields = [string, string, string, RecordKind, string, string, string, string];

export function encodeSegmentHead({ previous }: SegmentHead): Buffer {
  const text = [SEGMENT_MARK, VERSION, previous.to, previous.bytes].join(' ');
  return Buffer.from(`${withChecksum(text)}\n`);
}

/** The head of a segment and its length, nothing if it is broken. Throws at one we cannot know. */
export function parseSegmentHead(bytes: Buffer): (SegmentHead & { length: number }) | undefined {
  const end = bytes.indexOf(NEWLINE);
  const fields = end < 0 ? undefined : checkedText(bytes.subarray(0, end))?.split(' ');
  if (fields?.[0] !== SEGMENT_MARK) return undefined;
  if (fields[1] !== VERSION) {
    throw new PmlError(
      'JOURNAL_FAILED',
      `The run journal is of version ${fields[1]}, this PML reads version ${VERSION}. Use the PML that wrote it, or a newer one.`,
    );
  }
  return { previous: { to: Number(fields[2]), bytes: Number(fields[3]) }, length: end + 1 };
}

export function parseBody(line: Buffer, { headBytes, bodyBytes, bodyCrc }: ReadHead): RunEvent[] {
  const body = line.subarray(headBytes, headBytes + bodyBytes);
  if (crc32(body) !== bodyCrc) throw new Error('its checksum does not match');
  return JSON.parse(body.toString()) as RunEvent[];
}

/** All that PML makes itself. */
const PLAIN_RUN = /^[\w-]*$/;

/** JSON without a space in it: half of a surrogate pair and line ends come out as escapes. */
function encodeRun(run: RunId): string {
  if (PLAIN_RUN.test(run)) return `"${run}"`;
  return JSON.stringify(run).replaceAll(' ', String.raw`\u0020`);
}

export function isNameable(run: RunId): boolean {
  return Buffer.byteLength(encodeRun(run)) <= MAX_RUN_BYTES;
}

/** A loop, because opening does this for every record. */
function endOfHead(bytes: Buffer): number | undefined {
  const limit = Math.min(bytes.length, MAX_HEAD_BYTES);
  for (let at = 0, fields = 0; at < limit; at++) {
    if (bytes[at] === SPACE && ++fields === HEAD_FIELDS) return at + 1;
  }
  return undefined;
}

export function withChecksum(text: string): string {
  return `${asHex(crc32(text))} ${text}`;
}

const NAMED_RUN = /^.{8} . ("(?:[^"\\]|\\.)+") \d+ (?:events|fold) (\d+) /;

/** The run that a line with a broken head seems to be about, and when it began. */
export function readRunName(
  line: Buffer,
): { readonly run: string; readonly startedAt: number } | undefined {
  const [, name, startedAt] = NAMED_RUN.exec(line.toString('utf8')) ?? [];
  if (name === undefined) return undefined;
  try {
    return { run: JSON.parse(name) as string, startedAt: Number(startedAt) };
  } catch {
    return undefined; // The name itself is what is broken.
  }
}

/** What follows a checksum and a space, nothing if it does not match. */
export function checkedText(bytes: Buffer): string | undefined {
  if (bytes[CRC_CHARS] !== SPACE) return undefined;
  const text = bytes.subarray(CRC_CHARS + 1);
  const crc = bytes.toString('latin1', 0, CRC_CHARS);
  return HEX.test(crc) && Number.parseInt(crc, 16) === crc32(text) ? text.toString() : undefined;
}

function asHex(crc: number): string {
  return crc.toString(16).padStart(CRC_CHARS, '0');
}
