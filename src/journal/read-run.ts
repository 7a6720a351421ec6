import { open } from 'node:fs/promises';

import { isAbsent, type RunEvent } from '../core/index.js';
import { journalFailed } from './disk.js';
import { MAX_HEAD_BYTES, parseBody, parseHead } from './record.js';
import type { Place } from './segment.js';

/** The file was replaced after its places were looked up: look them up again. */
export const MOVED = Symbol('moved');

export async function readPlaces(
  places: readonly Readonly<Place>[],
): Promise<RunEvent[] | typeof MOVED> {
  const events: RunEvent[] = [];
  for (const neighbours of bySegment(places)) {
    const found = await readSegment(neighbours);
    if (found === MOVED) return MOVED;
    for (const event of found) events.push(event);
  }
  return events;
}

function bySegment(places: readonly Readonly<Place>[]): readonly Readonly<Place>[][] {
  const groups: Readonly<Place>[][] = [];
  for (const place of places) {
    const last = groups.at(-1);
    if (last?.[0]?.segment === place.segment) last.push(place);
    else groups.push([place]);
  }
  return groups;
}

async function readSegment(places: readonly Readonly<Place>[]): Promise<RunEvent[] | typeof MOVED> {
  const { path } = places[0]!.segment;
  let file;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if (isAbsent(error)) return MOVED;
    throw journalFailed('open', path, error);
  }
  const events: RunEvent[] = [];
  try {
    for (const { offset, bytes } of places) {
      const line = Buffer.allocUnsafe(bytes);
      for (let done = 0; done < bytes;) {
        const { bytesRead } = await file.read(line, done, bytes - done, offset + done);
        if (bytesRead === 0) throw new Error(`it ends at byte ${offset + done}`);
        done += bytesRead;
      }
      for (const event of eventsOf(line, offset)) events.push(event);
    }
    return events;
  } catch (error) {
    throw journalFailed('read', path, error);
  } finally {
    await file.close();
  }
}

/** Checked again: it is some time since the journal was opened. */
function eventsOf(line: Buffer, offset: number): readonly RunEvent[] {
  const head = parseHead(line.subarray(0, MAX_HEAD_BYTES));
  if (!head) throw new Error(`there is no record at byte ${offset}`);
  return parseBody(line, head);
}
