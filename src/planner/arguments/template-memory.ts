import {
  canonicalJson,
  evidenceWeight,
  type ExecutionTrace,
  type JsonValue,
  originOf,
  type PastBinding,
  type ToolId,
} from '../../core/index.js';
import { countSlots, literalTexts } from '../../plan/index.js';
import { findLiterals } from '../literals/intent-literals.js';

/** How past calls composed a parameter from results of other calls. */
export interface LearnedTemplate {
  readonly template: JsonValue;
  /** The tool and field that fill each slot. */
  readonly sources: readonly { readonly tool: ToolId; readonly field: string }[];
  /** The literals of the past request that occur in the template. */
  readonly said: readonly string[];
  /** How often, weighted by evidence, like `total`. */
  readonly times: number;
  /** How often the parameter had a value of any kind. */
  readonly total: number;
  /** The same as plain counts of calls, for messages. */
  readonly calls: number;
  readonly allCalls: number;
  /** The newest run that had it. */
  readonly run: string;
}

type Written = Omit<LearnedTemplate, 'times' | 'total' | 'calls' | 'allCalls'>;

interface Uses {
  total: number;
  allCalls: number;
  readonly ways: Map<string, Written & { times: number; calls: number }>;
}

/** Per parameter: texts that differ in every run would pile up. */
const MOST_WAYS = 20;
const MOST_LITERALS = 50;
/** Shorter literals occur in a text by chance. */
const TELLING_CHARACTERS = 2;

/** How past runs composed texts, lists and objects from results. */
export class TemplateMemory {
  readonly #uses = new Map<string, Uses>();

  /** Skips failed runs: they show what not to do. */
  add(trace: ExecutionTrace): void {
    if (!trace.ok) return;
    trace.calls.forEach(({ tool, ok, args = {}, origins }, place) => {
      if (!ok) return;
      const into = trace.bindings.filter(({ to }) => to === place);
      const params = new Set([...into.map(({ param }) => param), ...Object.keys(args)]);
      for (const param of params) {
        if (param === undefined) continue;
        const own = into.filter((one) => one.param === param);
        const found = own.map(({ origin }) => origin ?? originOf(origins, param));
        const weight = Math.min(
          ...(found.length > 0 ? found : [originOf(origins, param)]).map((origin) =>
            evidenceWeight(origin, trace),
          ),
        );
        if (weight > 0) this.#count(`${tool}\n${param}`, writtenAs(trace, own), weight);
      }
    });
  }

  /** The ways a parameter was written, most often first. */
  of(tool: ToolId, param: string): readonly LearnedTemplate[] {
    const uses = this.#uses.get(`${tool}\n${param}`);
    if (!uses) return [];
    return [...uses.ways.values()]
      .toSorted((a, b) => b.times - a.times)
      .map((way) => ({ ...way, total: uses.total, allCalls: uses.allCalls }));
  }

  #count(key: string, written: Written | undefined, weight: number): void {
    const uses = this.#uses.get(key) ?? { total: 0, allCalls: 0, ways: new Map() };
    this.#uses.set(key, uses);
    uses.total += weight;
    uses.allCalls += 1;
    if (!written) return;
    const way = canonicalJson([
      written.template,
      ...written.sources.map(({ tool, field }) => [tool, field]),
    ]);
    const { times = 0, calls = 0 } = uses.ways.get(way) ?? {};
    uses.ways.delete(way);
    uses.ways.set(way, { ...written, times: times + weight, calls: calls + 1 });
    if (uses.ways.size <= MOST_WAYS) return;
    const [rarest] = [...uses.ways].toSorted(([, a], [, b]) => a.times - b.times)[0]!;
    uses.ways.delete(rarest);
  }
}

/** Undefined for a plain value, and if the trace does not say how the value was composed. */
function writtenAs(
  { calls, intent, id }: ExecutionTrace,
  own: readonly PastBinding[],
): Written | undefined {
  const template = own[0]?.part?.template;
  if (template === undefined || countSlots(template) !== own.length) return undefined;
  // With two calls of one tool, another plan could not tell which of them to use.
  const places = new Set(own.map(({ from }) => from));
  const tools = new Set(own.map(({ from }) => calls[from]?.tool));
  if (places.size !== tools.size) return undefined;
  const sources = own.flatMap(({ from, field = '' }) => {
    const tool = calls[from]?.tool;
    return tool ? [{ tool, field }] : [];
  });
  const words = literalTexts(template).join('\n');
  const said = findLiterals(intent, { most: MOST_LITERALS })
    .map(({ text }) => text)
    .filter((text) => text.length >= TELLING_CHARACTERS && words.includes(text));
  return { template, sources, said, run: id };
}
