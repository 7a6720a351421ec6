import type { PrunePolicy, RunDamage, RunId } from '../core/index.js';
import type { RecordHead } from './record.js';
import type { Place, Segment } from './segment.js';

/** A run with lost events. It cannot be resumed. */
export interface DamagedRun {
  readonly run: RunId;
  /** File and offset, or another description of the place. */
  readonly place: string;
}

/** The progress of a run, as far as its next record needs it. */
export interface Standing {
  readonly seq: number;
  readonly startedAt?: number;
  readonly endedAt?: number | undefined;
  readonly isDamaged: boolean;
}

interface Entry {
  readonly run: RunId;
  seq: number;
  readonly startedAt: number;
  endedAt: number | undefined;
  places: Place[];
  /** Not certain while a record that follows without a gap would prove that nothing is missing. */
  damage?: { readonly place: string; readonly isCertain: boolean };
}

const NEVER_BEGUN: Standing = { seq: 0, isDamaged: false };

/** Where the records of every run are. Fed the same way by opening and by appending. */
export class RunIndex {
  readonly #entries = new Map<RunId, Entry>();

  standing(run: RunId): Standing {
    const entry = this.#entries.get(run);
    if (!entry) return NEVER_BEGUN;
    const { seq, startedAt, endedAt, damage } = entry;
    return { seq, startedAt, endedAt, isDamaged: damage !== undefined };
  }

  add(head: RecordHead, place: Place): void {
    place.segment.runs.add(head.run);
    if (head.kind === 'forgotten') {
      this.#forget(head.run);
      place.segment.forgotten.push({ run: head.run, place });
      return;
    }
    const entry = this.#entryFor(head);
    if (head.seq <= entry.seq) return;
    this.#judge(entry, head, place);
    if (head.kind === 'fold') dropPlaces(entry);
    entry.seq = head.seq;
    entry.endedAt = head.endedAt;
    entry.places.push(place);
    place.segment.liveBytes += place.bytes;
  }

  /** A record that is known but cannot be read. */
  lose(head: RecordHead, place: string): void {
    if (head.kind === 'forgotten') {
      this.#forget(head.run);
      return;
    }
    const entry = this.#entryFor(head);
    if (head.seq <= entry.seq) return;
    entry.seq = head.seq;
    entry.endedAt = head.endedAt;
    entry.damage = { place, isCertain: true };
  }

  /** Records of an unknown run: any unfinished run without a later record. */
  loseUnknown(place: string): void {
    for (const entry of this.#entries.values()) {
      if (entry.endedAt === undefined) entry.damage ??= { place, isCertain: false };
    }
  }

  /** A run of which only a broken line with its name is left. */
  suspect({ run, startedAt }: { readonly run: string; readonly startedAt: number }, place: string) {
    if (this.#entries.has(run as RunId)) return;
    this.#entryFor({ run: run as RunId, startedAt }).damage = { place, isCertain: false };
  }

  /** Where events of a run are lost, and what else is known of it. */
  damageOf(run: RunId): RunDamage | undefined {
    const entry = this.#entries.get(run);
    return entry?.damage && { place: entry.damage.place, startedAt: entry.startedAt };
  }

  /** Copies, since places move. */
  places(run: RunId): readonly Readonly<Place>[] {
    return (this.#entries.get(run)?.places ?? []).map((place) => ({ ...place }));
  }

  /** The places themselves, in order, for a caller that is about to move them. */
  placesIn(segments: ReadonlySet<Segment>): { readonly run: RunId; readonly place: Place }[] {
    return [...this.#entries.values()].flatMap(({ run, places }) =>
      places.filter(({ segment }) => segments.has(segment)).map((place) => ({ run, place })),
    );
  }

  newestFirst(): readonly RunId[] {
    return this.#oldestFirst()
      .toReversed()
      .map(({ run }) => run);
  }

  /** The runs that can be resumed, oldest first. */
  unfinished(): readonly RunId[] {
    return this.#oldestFirst()
      .filter(({ endedAt, damage }) => endedAt === undefined && !damage)
      .map(({ run }) => run);
  }

  damaged(): readonly DamagedRun[] {
    return this.#oldestFirst().flatMap(({ run, endedAt, damage }) =>
      damage && endedAt === undefined ? [{ run, place: damage.place }] : [],
    );
  }

  choosePruned({ keepRuns, endedBefore }: PrunePolicy): readonly RunId[] {
    return this.#oldestFirst()
      .toReversed()
      .filter(({ endedAt }) => endedAt !== undefined)
      .filter(({ endedAt }, rank) => rank >= keepRuns || (endedAt as number) < endedBefore)
      .map(({ run }) => run);
  }

  #oldestFirst(): Entry[] {
    return [...this.#entries.values()].toSorted((a, b) => a.startedAt - b.startedAt);
  }

  #entryFor({ run, startedAt }: Pick<RecordHead, 'run' | 'startedAt'>): Entry {
    let entry = this.#entries.get(run);
    if (!entry) {
      entry = { run, seq: 0, startedAt, endedAt: undefined, places: [] };
      this.#entries.set(run, entry);
    }
    return entry;
  }

  #judge(entry: Entry, { kind, seq }: RecordHead, { segment, offset }: Place): void {
    if (kind === 'fold') delete entry.damage;
    else if (seq > entry.seq + 1) {
      const place = entry.damage?.place ?? `before ${segment.path}, byte ${offset}`;
      entry.damage = { place, isCertain: true };
    } else if (entry.damage?.isCertain === false) delete entry.damage;
  }

  #forget(run: RunId): void {
    const entry = this.#entries.get(run);
    if (entry) dropPlaces(entry);
    this.#entries.delete(run);
  }
}

function dropPlaces(entry: Entry): void {
  for (const { segment, bytes } of entry.places) segment.liveBytes -= bytes;
  entry.places = [];
}
