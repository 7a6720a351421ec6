import type { Store } from '../src/store/index.js';
import { run as runClusters } from './clusters.js';
/**
 * Questions that the design documents leave open, each answered by a figure:
 * `--parts signals,features,plans,frequency,provides,sessions,times,shuffled`, `--sets a,b`, `--asked N` half-way
 * questions of a set at most, `--repeats N` how often labels are shuffled,
 * `--configs exchanged,dealt,relinked,real` in which ways. `docs/benchmarks/open-questions.md` says what the figures mean.
 */
import { requireKit } from './data/kit.js';
import type { BenchOptions } from './data/options.js';
import { vectorStore } from './data/ready-discovery.js';
import { capabilityWorth } from './questions/capability-worth.js';
import { featureGate, featureWorth, shuffledGate } from './questions/feature-worth.js';
import { halfWaySet, type HalfWaySet } from './questions/half-way.js';
import { intentCut } from './questions/intent-cut.js';
import { loopTimes } from './questions/loop-times.js';
import { planGates } from './questions/plan-gates.js';
import { providesEdges } from './questions/provides-edges.js';
import { shuffledGates } from './questions/shuffled-gates.js';
import { signalWorth } from './questions/signal-worth.js';
import { createReport, type Report, type Row } from './report.js';

const PARTS = [
  'times',
  'frequency',
  'features',
  'provides',
  'signals',
  'sessions',
  'plans',
  'shuffled',
] as const;
type Part = (typeof PARTS)[number];

/** The made-up store with failures. */
const STORE = 'store';
/** Sets whose requests take several tools. */
const SETS = ['nestful', 'tau2', 'toollinkos', 'traject', 'ultratool'];
/** Sets whose discovery can be asked for what features say, besides. */
const MORE_SETS = ['metatool', 'sealtools', 'nestools', 'tmdb', 'livemcp', 'toolathlon'];
const MOST_ASKED = 120;
const SHUFFLED_TIMES = 2;

export async function run({ values }: BenchOptions): Promise<Report> {
  const parts = values['parts']?.split(',') ?? PARTS;
  const has = (part: Part) => parts.includes(part);
  const sets = values['sets']?.split(',') ?? [STORE, ...SETS, ...MORE_SETS];
  const most = Number(values['asked'] ?? MOST_ASKED);
  const times = Number(values['repeats'] ?? SHUFFLED_TIMES);
  const rows: Row[] = [];
  const add = (part: Part, found: readonly Row[]) => {
    rows.push(...found.map((row) => ({ ...row, name: `${part}: ${row.name}` })));
    process.stderr.write(`${part}: ${found[0]?.name ?? 'nothing'} (${found.length} figures)\n`);
  };
  if (has('times')) add('times', await loopTimes());
  if (has('frequency')) add('frequency', (await runClusters()).rows);
  if (has('features') && sets.includes(STORE)) add('features', await featureWorth());
  if (!PARTS.slice(2).some(has)) return createReport('questions', rows);
  requireKit();
  const takesSeveral = sets.filter((name) => SETS.includes(name));
  if (has('provides')) for (const name of takesSeveral) add('provides', providesEdges(name));
  if (!(['features', 'signals', 'sessions', 'plans', 'shuffled'] as const).some(has)) {
    return createReport('questions', rows);
  }
  await using store = await vectorStore(values['data']);
  if (has('shuffled')) {
    for (const name of sets.filter((one) => one !== STORE)) {
      const ways = values['configs']?.split(',');
      add('shuffled', await shuffledGates(name, { store, most, times, ways }));
    }
  }
  for (const name of sets.filter((one) => one !== STORE))
    await askSet(name, { store, most, has, add });
  return createReport('questions', rows);
}

interface Asking {
  readonly store: Store;
  readonly most: number;
  readonly has: (part: Part) => boolean;
  readonly add: (part: Part, rows: readonly Row[]) => void;
}

async function askSet(name: string, { store, most, has, add }: Asking): Promise<void> {
  if (has('plans')) add('plans', await planGates(name, store));
  if (!(['features', 'signals', 'sessions'] as const).some(has)) return;
  const ready: HalfWaySet = await halfWaySet(name, { store, most });
  if (has('signals') && SETS.includes(name)) {
    add('signals', signalWorth(ready));
    add('signals', capabilityWorth(ready));
  }
  if (has('sessions') && SETS.includes(name)) add('sessions', intentCut(ready));
  if (has('features')) {
    add('features', await featureGate(ready));
    add('features', await shuffledGate(ready));
  }
}
