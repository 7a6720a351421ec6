import type { CatalogTool, ExecutionTrace, JsonObject, ToolId } from '../../src/core/index.js';
import { seededRandom } from './seeded-random.js';
import { syntheticTools } from './synthetic-tools.js';
import type { ToolSet } from './tool-set.js';

/** A request with the calls that served it, in the import format. */
export interface RequestRow {
  readonly id: string;
  readonly query: string;
  readonly gold: readonly (readonly string[])[];
  readonly order: readonly string[];
  readonly edges: readonly {
    readonly s: string;
    readonly t: string;
    readonly field?: string;
    readonly param?: string;
  }[];
}

export interface SyntheticExecutions {
  readonly toolSet: ToolSet;
  readonly rows: readonly RequestRow[];
  /** Requests in new wordings, with the steps that would serve them. */
  readonly questions: readonly { readonly query: string; readonly steps: readonly ToolId[] }[];
}

export interface SyntheticSizes {
  readonly tools: number;
  readonly executions: number;
  readonly procedures: number;
  readonly questions: number;
}

const OPENINGS = [
  'Please',
  'I need you to',
  'Could you',
  'For the weekly review',
  'When you have a minute',
  'As agreed with the team',
];
/** How often another procedure begins where one ends. */
const LEAVES_SERVER = 0.25;
/** Tools that only read. */
const READING = new Set(['read', 'list', 'search', 'fetch', 'export']);
/** Reading tools that need no id. */
const FINDING = new Set(['list', 'search']);
/** Every other procedure names the id that it begins with; the others have to find it. */
const NAMES_ITS_ID = 2;
/** How often an execution is one that finds such an id for the first step of a procedure. */
const LOOKS_UP = 0.1;
const MOST_STEPS = 6;

/**
 * Synthetic executions of several hundred procedures: a few are frequent, most are rare, and each
 * is requested in a handful of wordings.
 */
export function syntheticExecutions(sizes: SyntheticSizes): SyntheticExecutions {
  const random = seededRandom(sizes.executions);
  const below = (count: number) => Math.floor(random() * count);
  const tools = syntheticTools(sizes.tools).map(withSchemas);
  const procedures = Array.from({ length: sizes.procedures }, () => {
    const steps = [tools[below(tools.length)]!];
    const length = 2 + below(MOST_STEPS - 1);
    while (steps.length < length) {
      const { server } = steps.at(-1)!;
      const near =
        random() < LEAVES_SERVER ? tools : tools.filter((tool) => tool.server === server);
      const next = near[below(near.length)]!;
      if (!steps.includes(next)) steps.push(next);
    }
    return steps;
  });
  const pick = zipf(procedures.length, random);
  const rows = Array.from({ length: sizes.executions }, (_, n): RequestRow => {
    const procedure = pick();
    const whole = procedures[procedure]!;
    const steps = random() < LOOKS_UP ? lookUp(whole[0]!, tools) : whole;
    const order = steps.map(({ id }) => id);
    const opening = OPENINGS[below(OPENINGS.length)]!;
    return {
      id: String(n),
      query: asked(steps, { opening, n, namesId: steps === whole && namesId(procedure) }),
      gold: order.map((id) => [id]),
      order,
      edges: steps.slice(1).map((to, place) => edgeOf(steps[place]!, to)),
    };
  });
  const questions = Array.from({ length: sizes.questions }, (_, n) => {
    const procedure = pick();
    const steps = procedures[procedure]!;
    const opening = `For customer ${n}`;
    const query = asked(steps, { opening, n, namesId: namesId(procedure) });
    return { query, steps: steps.map(({ id }) => id) };
  });
  const idOf = new Map(tools.map(({ id }) => [id as string, id]));
  const nameOf = new Map(tools.map(({ id }) => [id, id as string]));
  const byId = new Map(tools.map((tool) => [tool.id, tool]));
  return { toolSet: { tools: byId, servers: new Map(), idOf, nameOf }, rows, questions };
}

const namesId = (procedure: number) => procedure % NAMES_ITS_ID === 0;

/** A tool, after one of its server that finds the id it needs. */
function lookUp(tool: CatalogTool, tools: readonly CatalogTool[]): readonly CatalogTool[] {
  const [, noun] = wordsOf(tool);
  const isFinder = (one: CatalogTool) => {
    const [verb, own] = wordsOf(one);
    return one !== tool && one.server === tool.server && own === noun && FINDING.has(verb);
  };
  return [...tools.filter(isFinder).slice(0, 1), tool];
}

/** What a request calls the result, and which thing it begins with. */
const titleOf = (n: number) => `Report ${n}`;
const idAt = (n: number) => `ref-${n}`;

function asked(
  steps: readonly CatalogTool[],
  {
    opening,
    n,
    namesId,
  }: { readonly opening: string; readonly n: number; readonly namesId: boolean },
): string {
  const parts = steps.map((step, place) => {
    const [verb, noun] = wordsOf(step);
    const id = namesId && place === 0 ? ` "${idAt(n)}"` : '';
    return `${verb} the ${noun}${id} in ${step.server}`;
  });
  const last = parts.pop();
  return `${opening} ${parts.join(', ')} and then ${last} titled "${titleOf(n)}".`;
}

const wordsOf = ({ definition }: CatalogTool): readonly [verb: string, noun: string] => {
  const [verb = '', noun = ''] = definition.name.split('_');
  return [verb, noun];
};

/** Between tools of one noun its id is passed on; between others nobody recorded what. */
function edgeOf(from: CatalogTool, to: CatalogTool): RequestRow['edges'][number] {
  const [, given] = wordsOf(from);
  const [, taken] = wordsOf(to);
  const flow = given === taken ? { field: `${given}_id`, param: `${taken}_id` } : {};
  return { s: from.id, t: to.id, ...flow };
}

/** The same execution with arguments: an id at its beginning, the title at its end, a habit. */
export function withArguments(trace: ExecutionTrace, { tools }: ToolSet): ExecutionTrace {
  const [id, title] = [/"(ref-\d+)"/, /"(Report \d+)"/].map((of) => of.exec(trace.intent)?.[1]);
  const calls = trace.calls.map((call, place) => {
    const [, noun] = wordsOf(tools.get(call.tool)!);
    const isLast = place === trace.calls.length - 1;
    const args = {
      ...(place === 0 && id && { [`${noun}_id`]: id }),
      ...(isLast && title && { title }),
      limit: 20,
    };
    return { ...call, args };
  });
  return { ...trace, calls, hasOrigins: true };
}

/** Inputs and outputs of tools of this kind, so that tools can fit together. */
function withSchemas(tool: CatalogTool): CatalogTool {
  const [verb, noun] = wordsOf(tool);
  const text = (description: string): JsonObject => ({ type: 'string', description });
  const key = `${noun}_id`;
  const inputSchema = {
    type: 'object',
    required: FINDING.has(verb) ? [] : [key],
    properties: {
      [key]: text(`Which ${noun} to ${verb}`),
      title: text(`What to call the ${noun}`),
      workspace_id: text('Where it is'),
      limit: { type: 'integer' },
    },
  };
  const outputSchema = {
    type: 'object',
    properties: {
      [key]: text(`The ${noun}`),
      url: text(`Where the ${noun} is`),
      owner: { type: 'object', properties: { user_id: text('Who owns it'), name: text('Name') } },
    },
  };
  const annotations = { readOnlyHint: READING.has(verb) };
  return { ...tool, definition: { ...tool.definition, inputSchema, outputSchema, annotations } };
}

/** Zipf: of `count` items, the n-th is drawn 1/n as often as the first. */
function zipf(count: number, random: () => number): () => number {
  const sums = new Float64Array(count);
  let total = 0;
  for (let place = 0; place < count; place++) sums[place] = total += 1 / (place + 1);
  return () => {
    const at = random() * total;
    return Math.min(
      count - 1,
      sums.findIndex((sum) => sum >= at),
    );
  };
}
