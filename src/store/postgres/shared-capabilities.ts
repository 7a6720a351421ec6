import { type Kysely, sql } from 'kysely';

import type { CapabilityNews, CapabilityUpdate, SharedCapabilityStore } from '../../core/index.js';
import { Mutex } from '../mutex.js';
import type { Tables } from '../schema.js';
import { attempt } from '../store-errors.js';
import { loadCapabilities, writeUpdate } from '../tables/capability-store.js';
import { storable } from '../tables/storable-text.js';

/**
 * A tag by name, which changes whenever any process writes a capability or one of its versions:
 * PostgreSQL stores with each row the transaction that wrote it.
 */
type Tags = ReadonlyMap<string, string>;

/** Capabilities in a database that several gateways write, with changes by the others. */
export function createSharedCapabilities(db: Kysely<Tables>): SharedCapabilityStore {
  /** The tags this process knows. */
  const known = new Map<string, string>();
  /** This process must not write between reading changes of others and applying them. */
  const turn = new Mutex();
  const inView = <T>(work: (trx: Kysely<Tables>) => Promise<T>): Promise<T> =>
    db.transaction().setIsolationLevel('repeatable read').execute(work);
  const learn = (names: Iterable<string>, tags: Tags) => {
    for (const name of names) {
      const tag = tags.get(name);
      if (tag === undefined) known.delete(name);
      else known.set(name, tag);
    }
  };

  return {
    load: () =>
      turn.run(() =>
        attempt('load capabilities', async () => {
          const { all, tags } = await inView(async (trx) => ({
            all: await loadCapabilities(trx),
            tags: await readTags(trx),
          }));
          known.clear();
          learn(tags.keys(), tags);
          return all;
        }),
      ),

    save: (update) =>
      turn.run(() =>
        attempt('save capabilities', async () => {
          const names = namesIn(update);
          const { before, after } = await db.transaction().execute(async (trx) => {
            // No other process can write between reading the tags and our write.
            await sql`lock table capability in share row exclusive mode`.execute(trx);
            const old = await readTags(trx, names);
            await writeUpdate(trx, update);
            return { before: old, after: await readTags(trx, names) };
          });
          // Earlier changes by others are still news.
          const isOurs = (name: string) => before.get(name) === known.get(name);
          learn(names.filter(isOurs), after);
        }),
      ),

    news: (take) =>
      turn.run(() =>
        attempt('read what other gateways learned', async () => {
          const { news, tags } = await inView(async (trx) => {
            const current = await readTags(trx);
            return { tags: current, news: await readNews(trx, known, current) };
          });
          if (!news) return;
          const names = [...news.written.map(({ name }) => storable(name)), ...news.removed];
          const left = take(news);
          learn(
            names.filter((name) => !left.has(name)),
            tags,
          );
        }),
      ),
  };
}

async function readNews(
  trx: Kysely<Tables>,
  known: Tags,
  current: Tags,
): Promise<CapabilityNews | undefined> {
  const changed = [...current.keys()].filter((name) => current.get(name) !== known.get(name));
  const removed = [...known.keys()].filter((name) => !current.has(name));
  if (changed.length + removed.length === 0) return undefined;
  const written = changed.length > 0 ? await loadCapabilities(trx, changed) : [];
  return { written, removed };
}

async function readTags(trx: Kysely<Tables>, names?: readonly string[]): Promise<Tags> {
  const isWanted = names ? sql`capability.name = any(${names}::text[])` : sql`true`;
  const { rows } = await sql<{ name: string; tag: string }>`
    select capability.name, md5(min(capability.xmin::text) || ' ' ||
      string_agg(version.identity || ' ' || version.xmin::text, ',' order by version.identity)) as tag
    from capability join capability_version as version on version.capability = capability.name
    where ${isWanted} group by capability.name`.execute(trx);
  return new Map(rows.map(({ name, tag }) => [name, tag]));
}

function namesIn({ write, remove, forget, uses }: CapabilityUpdate): readonly string[] {
  const names = [
    ...write.map(({ name }) => name),
    ...remove,
    ...forget.map(({ capability }) => capability),
    ...uses.map(({ capability }) => capability),
  ];
  return [...new Set(names.map(storable))];
}
