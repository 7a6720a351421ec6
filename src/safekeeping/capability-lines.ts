/**
 * The lines of the capability file: a head, then updates in order. Each line has a checksum, so an
 * update is either complete or ignored.
 */
import {
  type Capability,
  type CapabilityUpdate,
  type CapabilityVersion,
  isJsonObject,
  type JsonValue,
  PmlError,
} from '../core/index.js';
import { changeRows } from './apply-update.js';
import { decodeLine, encodeLine } from './checked-line.js';

const FORMAT = 'pml-kept-capabilities';
const VERSION = 1;

export interface ReadLines {
  readonly rows: Map<string, Capability>;
  /** Whether the file holds everything the store had when both were last available. */
  readonly isComplete: boolean;
  /** Whether the head says that the file was rewritten from one with damaged lines. */
  readonly wasDamaged: boolean;
  /** Lines that are unreadable, or that do not apply because an earlier line is unreadable. */
  readonly damagedLines: number;
  /** How many bytes are valid; a crash cut off the rest. */
  readonly goodBytes: number;
}

/** What the head says about the rest of the file. */
export interface FileState {
  readonly isComplete: boolean;
  readonly isDamaged: boolean;
}

function encodeHead({ isComplete, isDamaged }: FileState): string {
  return encodeLine({
    format: FORMAT,
    version: VERSION,
    isComplete,
    ...(isDamaged && { isDamaged }),
  });
}

export function encodeUpdate(update: CapabilityUpdate): string {
  return encodeLine(update);
}

/** The shortest file that says the same: one line a capability. */
export function encodeAll(rows: ReadonlyMap<string, Capability>, state: FileState): string {
  const lines = [...rows.values()].map((capability) =>
    encodeUpdate({ write: [capability], remove: [], forget: [], uses: [] }),
  );
  return encodeHead(state) + lines.join('');
}

/** Throws for a file of another kind; damaged lines are skipped and counted. */
export function readLines(bytes: Buffer, path: string): ReadLines {
  const end = bytes.lastIndexOf('\n') + 1;
  const lines = bytes.toString('utf8', 0, end).split('\n').slice(0, -1);
  const [head, ...updates] = lines.map(decodeLine);
  assertKind(head, path);
  const rows = new Map<string, Capability>();
  let damagedLines = head === undefined && lines.length > 0 ? 1 : 0;
  for (const value of updates) {
    if (!take(rows, value)) damagedLines++;
  }
  const { isComplete, isDamaged } = isJsonObject(head) ? head : {};
  return {
    rows,
    isComplete: isComplete === true,
    wasDamaged: isDamaged === true,
    damagedLines,
    goodBytes: end,
  };
}

/** Whether the line could be read and applied. */
function take(rows: Map<string, Capability>, value: JsonValue | undefined): boolean {
  if (value === undefined) return false;
  try {
    changeRows(rows, toUpdate(value));
    return true;
  } catch {
    // Every line applied when it was written, so an earlier line is damaged.
    return false;
  }
}

function assertKind(head: JsonValue | undefined, path: string): void {
  if (head === undefined) return;
  if (isJsonObject(head) && head['format'] === FORMAT && head['version'] === VERSION) return;
  throw new PmlError(
    'STORE_FAILED',
    `${path} is not a file of capabilities that this version of PML reads. Use the PML that wrote it, or move it away.`,
  );
}

/** PML wrote it, so only dates need to be parsed. */
function toUpdate(value: JsonValue): CapabilityUpdate {
  const update = value as unknown as CapabilityUpdate;
  return {
    ...update,
    write: update.write.map((capability) => ({
      ...capability,
      current: withDates(capability.current),
      others: capability.others.map(withDates),
    })),
    uses: update.uses.map((use) => ({ ...use, lastUsed: new Date(use.lastUsed) })),
  };
}

function withDates(version: CapabilityVersion): CapabilityVersion {
  const { statistics, provenance } = version;
  return {
    ...version,
    statistics: {
      ...statistics,
      ...(statistics.lastUsed && { lastUsed: new Date(statistics.lastUsed) }),
    },
    provenance: { ...provenance, at: new Date(provenance.at) },
  };
}
