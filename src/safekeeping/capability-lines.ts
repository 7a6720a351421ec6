/**
 * The lines of the file of capabilities: a head, then updates in the order they were made. Each line
 * has a checksum, so that an update is there as a whole or not at all.
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
  /** Whether the file holds everything the store had when both were last there. */
  readonly isComplete: boolean;
  /** Whether the head says that the file was written anew from one with damaged lines. */
  readonly wasDamaged: boolean;
  /** Lines that cannot be read, or that fit nothing because one before them cannot be read. */
  readonly damagedLines: number;
  /** How many bytes count; what follows was cut off by a crash. */
  readonly goodBytes: number;
}

/** What the head of the file says of the rest. */
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

/** Throws at a file of another kind; what is damaged is left out and counted. */
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
    // Every line fitted when it was written, so a line before it is damaged.
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

/** Of our own writing, so that only dates need to be read. */
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
