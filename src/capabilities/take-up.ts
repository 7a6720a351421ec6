import type { Capability } from '../core/index.js';
import type { Book } from './book.js';
import { freeName } from './capability-name.js';
import { versionOf } from './learn/learn.js';
import { joinIntents } from './place-version.js';
import { addStatistics, withVersion } from './take-use.js';

/** Joins what was learned before the store was there to what the store knows. */
export function takeUp(book: Book, early: readonly Capability[]): void {
  const isTaken = (name: string) => book.find(name) !== undefined;
  /** Names that mean something else now; code that calls by them is learned again when it is needed. */
  const lost = new Set<string>();
  const free = early.filter((capability) => !joinKnown(book, capability));
  for (const { name } of free) if (isTaken(name)) lost.add(name);
  for (const capability of free) {
    if (capability.current.contains.some((name) => lost.has(name))) continue;
    const aliases = capability.aliases.filter((alias) => !isTaken(alias));
    book.put({ ...capability, name: freeName(capability.name, isTaken), aliases });
  }
}

/** Whether the store knows its code already, which then has a few uses more. */
function joinKnown(book: Book, early: Capability): boolean {
  const { identity, statistics } = early.current;
  const known = book.withIdentity(identity);
  if (!known) return false;
  const version = versionOf(known, identity);
  const joined = withVersion(known, {
    ...version,
    statistics: addStatistics(version.statistics, statistics),
  });
  const { failuresInRow } = version.statistics;
  book.tell(joined, identity, { ...statistics, failuresInRow });
  book.put({ ...joined, intents: joinIntents(early.intents, known.intents) });
  return true;
}
