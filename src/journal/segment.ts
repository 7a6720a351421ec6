import { join } from 'node:path';

import type { RunId } from '../core/index.js';

/** Where a record is. Moved when its segment is rewritten. */
export interface Place {
  segment: Segment;
  offset: number;
  readonly bytes: number;
}

/** One file of the journal: one that was appended to, or what is left of several of them. */
export interface Segment {
  /** The numbers it stands for; the same one twice if it was never rewritten. */
  readonly from: number;
  readonly to: number;
  /** How often it was rewritten. */
  readonly generation: number;
  readonly path: string;
  /** How much of the file counts. */
  bytes: number;
  /** How much of that is still needed. */
  liveBytes: number;
  readonly headBytes: number;
  readonly previous: { readonly to: number; readonly bytes: number };
  /** All that have a record in it, needed or not. */
  readonly runs: Set<RunId>;
  readonly forgotten: { readonly run: RunId; readonly place: Place }[];
  /** Part of it cannot be read; it is left as it is for as long as that matters. */
  readonly isDamaged: boolean;
  /** More is in the file than counts, and could not be cut off. */
  hasRejectedTail: boolean;
}

export type SegmentName = Pick<Segment, 'from' | 'to' | 'generation'>;

const NAME = /^(\d{6,})(?:-(\d{6,})\.(\d+))?\.log$/;

/** `000007.log`, or `000003-000007.2.log` once rewritten: no two contents ever share a name. */
export function fileNameOf({ from, to, generation }: SegmentName): string {
  return generation === 0 ? `${digits(to)}.log` : `${digits(from)}-${digits(to)}.${generation}.log`;
}

export function parseFileName(name: string): SegmentName | undefined {
  const match = NAME.exec(name);
  if (!match) return undefined;
  const from = Number(match[1]);
  return { from, to: Number(match[2] ?? from), generation: Number(match[3] ?? 0) };
}

/**
 * What counts of the files found, in order, and what a rewritten one replaced: a rewritten segment
 * gets its name when it is complete, and those it stands for are deleted afterwards.
 */
export function resolveSegments(found: readonly SegmentName[]): {
  readonly current: readonly SegmentName[];
  readonly replaced: readonly SegmentName[];
} {
  const isReplaced = (one: SegmentName) =>
    found.some(
      ({ from, to, generation }) => from <= one.from && one.to <= to && generation > one.generation,
    );
  return {
    current: found.filter((one) => !isReplaced(one)).toSorted((a, b) => a.from - b.from),
    replaced: found.filter(isReplaced),
  };
}

/** Numbers no file stands for. They are never left out, so something has been taken away. */
export function missingNumbers(current: readonly SegmentName[]): readonly number[] {
  return current.flatMap(({ from }, at) => {
    const next = (current[at - 1]?.to ?? 0) + 1;
    return Array.from({ length: Math.max(0, from - next) }, (_, place) => next + place);
  });
}

export function createSegment(
  directory: string,
  name: SegmentName,
  rest: Pick<Segment, 'bytes' | 'headBytes' | 'previous'> & { readonly isDamaged?: boolean },
): Segment {
  return {
    ...name,
    path: join(directory, fileNameOf(name)),
    liveBytes: 0,
    runs: new Set(),
    forgotten: [],
    isDamaged: false,
    hasRejectedTail: false,
    ...rest,
  };
}

export function isRewritten({ generation }: SegmentName): boolean {
  return generation > 0;
}

function digits(number: number): string {
  return String(number).padStart(6, '0');
}
