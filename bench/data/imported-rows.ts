import { seededRandom } from './seeded-random.js';

/** A past execution as `pml import` takes it. */
export interface ImportedRow {
  readonly intent: string;
  readonly calls: readonly { readonly tool: string }[];
}

const STEPS = 3;
const VERBS = ['get', 'list', 'create', 'update', 'search', 'export', 'check', 'merge'];
const THINGS = [
  'invoice',
  'ticket',
  'page',
  'branch',
  'order',
  'photo',
  'contact',
  'report',
  'job',
];

/** Made-up requests that tools of a sized server served, three tools each. */
export function importedRows(count: number, server: string, tools: number): ImportedRow[] {
  const random = seededRandom(7);
  const toolAt = (at: number) =>
    `${server}:${VERBS[at % VERBS.length]}_${THINGS[at % THINGS.length]}_${at}`;
  return Array.from({ length: count }, (_, place) => {
    const used = Array.from({ length: STEPS }, () => Math.floor(random() * tools));
    const things = used.map(
      (at) => `${VERBS[at % VERBS.length]} the ${THINGS[at % THINGS.length]}`,
    );
    return {
      intent: `${things.join(', then ')} (request ${place})`,
      calls: used.map((at) => ({ tool: toolAt(at) })),
    };
  });
}
