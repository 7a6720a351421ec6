import type { CatalogTool, JsonObject, ToolId } from '../../src/core/index.js';
import { seededRandom } from './seeded-random.js';
import { syntheticTools } from './synthetic-tools.js';
import type { ToolSet } from './tool-set.js';

/** A request with the calls that served it, in the import format. */
export interface RequestRow {
  readonly id: string;
  readonly query: string;
  readonly gold: readonly (readonly string[])[];
  readonly order: readonly string[];
  readonly edges: readonly { readonly s: string; readonly t: string }[];
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
    const steps = procedures[pick()]!;
    const order = steps.map(({ id }) => id);
    return {
      id: String(n),
      query: asked(steps, OPENINGS[below(OPENINGS.length)]!),
      gold: order.map((id) => [id]),
      order,
      edges: order.slice(1).map((t, place) => ({ s: order[place]!, t })),
    };
  });
  const questions = Array.from({ length: sizes.questions }, (_, n) => {
    const steps = procedures[pick()]!;
    return { query: asked(steps, `For customer ${n}`), steps: steps.map(({ id }) => id) };
  });
  const idOf = new Map(tools.map(({ id }) => [id as string, id]));
  const nameOf = new Map(tools.map(({ id }) => [id, id as string]));
  const byId = new Map(tools.map((tool) => [tool.id, tool]));
  return { toolSet: { tools: byId, servers: new Map(), idOf, nameOf }, rows, questions };
}

function asked(steps: readonly CatalogTool[], opening: string): string {
  const parts = steps.map(({ definition, server }) => {
    const [verb = '', noun = ''] = definition.name.split('_');
    return `${verb} the ${noun} in ${server}`;
  });
  const last = parts.pop();
  return `${opening} ${parts.join(', ')} and then ${last}.`;
}

/** Inputs and outputs of tools of this kind, so that tools can fit together. */
function withSchemas(tool: CatalogTool): CatalogTool {
  const [verb = '', noun = ''] = tool.definition.name.split('_');
  const text = (description: string): JsonObject => ({ type: 'string', description });
  const key = `${noun}_id`;
  const inputSchema = {
    type: 'object',
    required: [key],
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
  return { ...tool, definition: { ...tool.definition, inputSchema, outputSchema } };
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
