import { type ChoiceExample, type Grouped } from '../../src/learning/index.js';
import {
  gatherCandidates,
  IntentMemory,
  type Question,
  type RankingSources,
} from '../../src/ranking/index.js';
import type { Store } from '../../src/store/index.js';
import { type ReadySet, shuffled } from './discover-sets.js';
import { type RankedRow, rankedSet } from './ranked-set.js';
import type { ToolSet } from './tool-set.js';

/** One request, asked of a part of the tools of a set with a part of its past. */
export interface SampledRequest extends ChoiceExample, Grouped {
  readonly set: string;
  /** Whether meaning was compared, or words alone. */
  readonly byMeaning: boolean;
  readonly tools: number;
  readonly remembered: number;
}

export interface SampleOptions {
  readonly store: Store;
  /** Catalogs of so many tools, as far as the set has them. */
  readonly sizes: readonly number[];
  /** So many requests remembered, as far as there are as many. */
  readonly remembered: readonly number[];
  readonly seed: number;
}

/** Of each catalog and memory so many requests that its tools serve, and half as many that they do not. */
const MOST_ASKED = 40;
const UNSERVED = 0.5;
/** Of a catalog so large a part serves requests that are asked or remembered. */
const SERVING = 0.7;

/** What people have: few or many tools, a short or a long past, and wishes that no tool serves. */
export async function sampleCatalogs(
  of: ReadySet,
  { store, sizes, remembered, seed }: SampleOptions,
): Promise<readonly SampledRequest[]> {
  const all = of.set.tools.tools.size;
  const counts = [...new Set(sizes.map((size) => Math.min(size, all)))];
  const sampled: SampledRequest[] = [];
  for (const [at, count] of counts.entries()) {
    const order = shuffled(of.set.rows, 10_000 * seed + at);
    const tools = partOfTools(of.set.tools, order.map(namesOf), count);
    const served = order.filter((row) => namesOf(row).every((name) => tools.idOf.has(name)));
    const unserved = order.filter((row) => namesOf(row).every((name) => !tools.idOf.has(name)));
    const part = await rankedSet(
      store,
      tools,
      served.map(({ row }) => row),
    );
    const asked = served.filter((row) => of.asked.includes(row)).slice(0, MOST_ASKED);
    const strange = unserved
      .filter((row) => of.asked.includes(row))
      .slice(0, UNSERVED * asked.length);
    const groups = new Set(asked.map(of.groupOf));
    const isAsked = new Map(
      part.rows.map((own, place) => [own, groups.has(of.groupOf(served[place]!))]),
    );
    const past = of.hasMemory === false ? [] : part.rows.filter((row) => !isAsked.get(row));
    const lengths = [...new Set(remembered.map((most) => Math.min(most, past.length)))];
    for (const most of lengths) {
      const { sources } = part.remembering(past.slice(0, most));
      const words = wordsOnly(sources);
      for (const row of [...asked, ...strange]) {
        const { called: _called, ...question } = row.intents[0]!;
        const wanted = new Set(namesOf(row).flatMap((name) => tools.idOf.get(name) ?? []));
        const common = {
          set: of.name,
          group: of.groupOf(row),
          tools: tools.tools.size,
          remembered: most,
        };
        const asking = [
          [true, question, sources],
          [false, withoutVectors(question), words],
        ] as const;
        for (const [byMeaning, own, from] of asking) {
          const { candidates } = gatherCandidates(own, from);
          sampled.push({
            ...common,
            byMeaning,
            candidates: candidates.map(({ signals }) => signals),
            isRight: candidates.map(({ tool }) => wanted.has(tool.id)),
          });
        }
      }
    }
  }
  return sampled;
}

/** As discovery is while no model is loaded. */
function wordsOnly({ index, reliability, memory }: RankingSources & { memory: IntentMemory }) {
  const own = new IntentMemory({ dimension: 1 });
  for (const id of memory.ids()) own.add(withoutVectors(memory.get(id)!));
  return { index, reliability, memory: own };
}

function withoutVectors<Asked extends Question>({ vector: _vector, needs, ...rest }: Asked) {
  return { ...rest, needs: needs.map(({ text }) => ({ text })) };
}

function namesOf({ row }: RankedRow): readonly string[] {
  return (row.gold ?? []).flat();
}

/** Tools of some requests, each given by the tools it wants, and others beside them. */
export function partOfTools(
  all: ToolSet,
  requests: readonly (readonly string[])[],
  count: number,
): ToolSet {
  const names = new Set<string>();
  for (const wanted of requests) {
    const more = wanted.filter((name) => all.idOf.has(name));
    if (names.size + more.length > SERVING * count) continue;
    for (const name of more) names.add(name);
  }
  const others = shuffled([...all.idOf.keys()], count);
  for (const name of others) if (names.size < count) names.add(name);
  const idOf = new Map([...all.idOf].filter(([name]) => names.has(name)));
  const ids = new Set(idOf.values());
  return {
    idOf,
    tools: new Map([...all.tools].filter(([id]) => ids.has(id))),
    nameOf: new Map([...all.nameOf].filter(([id]) => ids.has(id))),
    servers: all.servers,
  };
}
