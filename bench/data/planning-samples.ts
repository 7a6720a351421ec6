import type { ToolId } from '../../src/core/index.js';
import type { ChoiceExample } from '../../src/learning/index.js';
import type { Store } from '../../src/store/index.js';
import type { Evidence } from '../../src/suggest/evidence.js';
import { linkSignals } from '../../src/suggest/links/link-signals.js';
import { type MemberCandidate, memberSignals } from '../../src/suggest/members/member-signals.js';
import { pairKey } from '../../src/suggest/past/past-plan.js';
import { shuffled } from './discover-sets.js';
import { plannableTools } from './flow-answers.js';
import { dataFile } from './kit.js';
import { embedQuestion, readyDiscovery } from './ready-discovery.js';
import { readySuggester } from './ready-suggester.js';
import { readRows } from './rows.js';
import { partOfTools } from './sampled-catalogs.js';
import { readToolSet } from './tool-set.js';

/** A request as its data set has it. */
interface PlanRow {
  readonly id: string;
  readonly query: string;
  readonly group?: string;
  readonly variant?: string;
  readonly gold?: readonly (readonly string[])[];
  readonly edges?: readonly { readonly s: string; readonly t: string }[];
}

/** A request that was asked of some tools with some past, with all that speaks for its plan. */
export interface PlanSample {
  readonly set: string;
  readonly tools: number;
  readonly remembered: number;
  readonly evidence: Evidence;
  readonly wanted: ReadonlySet<ToolId>;
  readonly weighed: readonly MemberCandidate[];
  readonly members: ChoiceExample;
  /** Missing where the set does not say what goes where. */
  readonly links?: ChoiceExample;
}

export interface PlanSampleOptions {
  readonly set: string;
  readonly variant?: string | undefined;
  readonly store: Store;
  /** Catalogs of so many tools with so many requests remembered. */
  readonly catalogs: readonly (readonly [tools: number, remembered: number])[];
  /** Of each so many requests are asked. */
  readonly asked: number;
}

/** Plans as people would ask for them: of few or many tools, after a short or a long past. */
export async function planSamples(options: PlanSampleOptions): Promise<readonly PlanSample[]> {
  const { set, variant, store, catalogs, asked } = options;
  const all = readToolSet(dataFile(set, 'tools.jsonl'));
  const rows = (readRows(dataFile(set, 'queries.jsonl')) as readonly PlanRow[]).filter(
    ({ gold }) => gold !== undefined && gold.length > 0,
  );
  const samples: PlanSample[] = [];
  for (const [at, [tools, remembered]] of catalogs.entries()) {
    const order = shuffled(rows, 20_000 + at);
    const part = partOfTools(all, order.map(namesOf), tools);
    const served = order.filter((row) => namesOf(row).every((name) => part.idOf.has(name)));
    const questions = served.filter((row) => !variant || row.variant === variant).slice(0, asked);
    const groups = new Set(questions.map((row) => row.group ?? row.id));
    const memory = served.filter((row) => !groups.has(row.group ?? row.id)).slice(0, remembered);
    await using ready = await readyDiscovery({ store, tools: part, memory, say: () => {} });
    const { discovery } = ready;
    const suggester = await readySuggester({ discovery, toolSet: part, memory });
    const plannable = plannableTools(part);
    for (const row of questions) {
      await embedQuestion(discovery, row.query);
      const { evidence } = await suggester.suggest(row.query);
      const idsOf = (names: readonly string[]) =>
        names.flatMap((name) => part.idOf.get(name) ?? []);
      const wanted = new Set(idsOf(row.gold!.map(([first]) => first!)));
      const weighed = memberSignals(evidence);
      const flows = new Set(
        (row.edges ?? []).map(({ s, t }) => pairKey(part.idOf.get(s)!, part.idOf.get(t)!)),
      );
      const candidates =
        flows.size === 0
          ? []
          : linkSignals([...wanted], evidence, {
              plannable: (ids) =>
                new Map(
                  [...ids].flatMap((id) => {
                    const tool = plannable.get(id);
                    return tool ? [[id, tool] as const] : [];
                  }),
                ),
            }).links;
      samples.push({
        set,
        tools: part.tools.size,
        remembered: memory.length,
        evidence,
        wanted,
        weighed,
        members: {
          candidates: weighed.map(({ signals }) => signals),
          isRight: weighed.map(({ tool }) => wanted.has(tool)),
        },
        ...(candidates.length > 0 && {
          links: {
            candidates: candidates.map(({ signals }) => signals),
            isRight: candidates.map(({ from, to }) => flows.has(pairKey(from, to))),
          },
        }),
      });
    }
  }
  return samples;
}

function namesOf({ gold = [] }: PlanRow): readonly string[] {
  return gold.flatMap(([first]) => first ?? []);
}
