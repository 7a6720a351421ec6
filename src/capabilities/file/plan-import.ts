import { effectsOf, identifyCode } from '../../code/index.js';
import {
  type Capability,
  type CapabilityVersion,
  maskForms,
  messageOf,
  PmlError,
  type ToolId,
  type Mask,
} from '../../core/index.js';
import { freeName, isCapabilityName } from '../capability-name.js';
import { closesCycle, type FindCapability } from '../contained.js';
import { readForeignCode, withoutSecretDefaults } from '../learn/read-proof.js';
import { joinIntents } from '../place-version.js';
import { Shelf } from '../shelf.js';
import type { FileEntry } from './capability-file.js';
import { type ReadCode, readCode, renameCalls } from './rename-calls.js';

export type Imported =
  /** `name` is the one it got here. */
  | { readonly kind: 'imported'; readonly from: string; readonly name: string }
  /** The same code is here already. */
  | { readonly kind: 'known'; readonly from: string; readonly name: string }
  | { readonly kind: 'refused'; readonly from: string; readonly reason: string };

export interface CapabilityImportPlan {
  readonly outcomes: readonly Imported[];
  /** What is new or has more intents than before. */
  readonly put: readonly Capability[];
}

export interface CapabilityImportOptions {
  readonly known: readonly Capability[];
  readonly mask: Mask;
  readonly now: Date;
}

/** Decides what becomes of each entry of a file. What is called comes before what calls it. */
export function planCapabilityImport(
  entries: readonly FileEntry[],
  options: CapabilityImportOptions,
): CapabilityImportPlan {
  const shelf = new Shelf();
  for (const capability of options.known) shelf.put(capability);
  const outcomes = new Map<FileEntry, Imported>();
  const put = new Set<string>();
  const inFile = byName(entries);
  const isReady = ({ contains }: FileEntry) =>
    contains.every((name) => {
      const other = inFile.get(name);
      return !other || outcomes.has(other);
    });
  let waiting = [...entries];
  while (waiting.length > 0) {
    // Those that wait for each other never get ready, and are refused for what they call.
    const ready = waiting.some(isReady) ? waiting.filter(isReady) : waiting;
    for (const entry of ready) {
      const outcome = importEntry(entry, { ...options, shelf, put, inFile, outcomeOf });
      outcomes.set(entry, outcome);
    }
    waiting = waiting.filter((entry) => !outcomes.has(entry));
  }
  return {
    outcomes: entries.map((entry) => outcomes.get(entry)!),
    put: [...put].flatMap((name) => shelf.find(name) ?? []),
  };

  function outcomeOf(name: string): Imported | 'waiting' | undefined {
    const other = inFile.get(name);
    return other && (outcomes.get(other) ?? 'waiting');
  }
}

/** Every entry by its name and by those it had before, which never hide the name of another. */
function byName(entries: readonly FileEntry[]): ReadonlyMap<string, FileEntry> {
  const former = entries.flatMap((entry) =>
    (entry.aliases ?? []).map((alias) => [alias, entry] as const),
  );
  return new Map([...former, ...entries.map((entry) => [entry.name, entry] as const)]);
}

interface Bench extends CapabilityImportOptions {
  readonly shelf: Shelf;
  readonly put: Set<string>;
  readonly inFile: ReadonlyMap<string, FileEntry>;
  readonly outcomeOf: (name: string) => Imported | 'waiting' | undefined;
}

function importEntry(entry: FileEntry, bench: Bench): Imported {
  const { shelf, put, mask } = bench;
  const refused = (reason: string): Imported => ({ kind: 'refused', from: entry.name, reason });
  if (!isCapabilityName(entry.name)) return refused('its name cannot be called');
  const read = readEntry(entry, bench);
  if (typeof read === 'string') return refused(read);
  const intents = joinIntents(
    [],
    entry.intents.map((intent) => maskForms(mask(intent))),
  );
  const same = shelf.withIdentity(read.identity);
  if (same) {
    shelf.put({ ...same, intents: joinIntents(same.intents, intents) });
    put.add(same.name);
    return { kind: 'known', from: entry.name, name: same.name };
  }
  const find: FindCapability = (name) => shelf.find(name);
  const name = freeName(entry.name, (one) => find(one) !== undefined);
  if (closesCycle(name, read.contains, find)) return refused('it would come to call itself');
  shelf.put({
    name,
    aliases: formerNames(entry, name, { bench, contains: read.contains }),
    description: maskForms(mask(entry.description)),
    intents,
    state: { status: 'active' },
    isPinned: false,
    current: read,
    others: [],
  });
  put.add(name);
  return { kind: 'imported', from: entry.name, name };
}

/**
 * Former names that are free here. One that code of here calls without success is not: that code would come to
 * do something else.
 */
function formerNames(
  entry: FileEntry,
  name: string,
  {
    bench: { shelf, inFile },
    contains,
  }: { readonly bench: Bench; readonly contains: readonly string[] },
): readonly string[] {
  const called = new Set(shelf.all().flatMap(({ current }) => current.contains));
  const find: FindCapability = (one) => shelf.find(one);
  return [...new Set(entry.aliases)].filter(
    (alias) =>
      alias !== name &&
      isCapabilityName(alias) &&
      !find(alias) &&
      inFile.get(alias) === entry &&
      !called.has(alias) &&
      !closesCycle(alias, contains, find),
  );
}

/** The code of an entry, made to call what it calls by the names used here; or why it cannot be. */
function readEntry(entry: FileEntry, bench: Bench): CapabilityVersion | string {
  try {
    const code = readForeignCode(entry.code, bench.mask);
    if ('reason' in code) return code.reason;
    if (identifyCode(code) !== entry.identity) {
      return 'its code is not the code it was exported with';
    }
    const renamed = withNamesOfHere(readCode(code), bench);
    return 'reason' in renamed ? renamed.reason : versionOf(entry, bench, renamed);
  } catch (error) {
    if (error instanceof PmlError) return `its code cannot be read: ${messageOf(error)}`;
    throw error;
  }
}

function versionOf(
  { lock, parameters, sequence }: FileEntry,
  { mask, now }: Bench,
  { code, structure }: ReadCode,
): CapabilityVersion | string {
  const { tools, capabilities, isOpen } = effectsOf(structure);
  if (isOpen) return 'which tools it calls is worked out while it runs';
  const unlocked = tools.filter((tool) => !Object.hasOwn(lock, tool));
  if (unlocked.length > 0) return `it does not say what ${unlocked.join(', ')} looked like`;
  const used = Object.fromEntries(tools.map((tool) => [tool, lock[tool]!]));
  return {
    identity: identifyCode(code),
    version: 1,
    code: code.text,
    parameters: withoutSecretDefaults(parameters, mask),
    lock: used as CapabilityVersion['lock'],
    contains: capabilities,
    structure,
    toolsUsed: tools as readonly ToolId[],
    sequence,
    statistics: { uses: 0, successes: 0, failuresInRow: 0, totalMs: 0 },
    provenance: { origin: 'imported', at: now },
  };
}

function withNamesOfHere(
  read: ReadCode,
  { shelf, outcomeOf }: Bench,
): ReadCode | { readonly reason: string } {
  let code = read;
  for (const name of effectsOf(read.structure).capabilities) {
    const outcome = outcomeOf(name);
    if (outcome === 'waiting') return { reason: `it and cap.${name} call each other` };
    if (outcome?.kind === 'refused') return { reason: `it calls cap.${name}, which was refused` };
    const target = outcome ? shelf.find(outcome.name) : shelf.find(name);
    if (!target) return { reason: `it calls cap.${name}, which is neither here nor in the file` };
    if (shelf.find(name)?.name === target.name) continue;
    const renamed = renameCalls(code, name, target.name);
    if (renamed === undefined) {
      return { reason: `it calls cap.${name}, which is something else here` };
    }
    code = renamed;
  }
  return code;
}
