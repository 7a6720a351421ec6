/** `npm run bench -- NAME [--json FILE]`: every number we claim, as a program that prints it. */
import { writeFileSync } from 'node:fs';

import { type BenchOptions, readOptions } from './data/options.js';
import { type Report, showReport } from './report.js';

interface Bench {
  readonly run: (options: BenchOptions) => Promise<Report>;
}

/** Loaded when asked for: one bench must not need what another one needs. */
const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  answer: () => import('./answer.js'),
  attention: () => import('./attention.js'),
  'attention-memory': () => import('./attention-memory.js'),
  'cli-start': () => import('./cli-start.js'),
  clusters: () => import('./clusters.js'),
  dashboard: () => import('./dashboard.js'),
  discover: () => import('./discover.js'),
  sessions: () => import('./sessions.js'),
  endurance: () => import('./endurance.js'),
  episodes: () => import('./episodes.js'),
  experience: () => import('./experience.js'),
  expansion: () => import('./expansion.js'),
  fairness: () => import('./fairness.js'),
  'fit-chances': () => import('./fit-chances.js'),
  'fit-flow': () => import('./fit-flow.js'),
  'fit-ranking': () => import('./fit-ranking.js'),
  flow: () => import('./flow.js'),
  gateway: () => import('./gateway.js'),
  graph: () => import('./graph.js'),
  journal: () => import('./journal.js'),
  parallel: () => import('./parallel.js'),
  plan: () => import('./plan.js'),
  'plan-weights': () => import('./plan-weights.js'),
  questions: () => import('./questions.js'),
  replay: () => import('./replay.js'),
  scale: () => import('./scale.js'),
  sandbox: () => import('./sandbox.js'),
  sample: () => import('./sample.js'),
  search: () => import('./search.js'),
  'search-scale': () => import('./search-scale.js'),
  speculate: () => import('./speculate.js'),
  speculation: () => import('./speculation.js'),
  suggest: () => import('./suggest.js'),
  values: () => import('./values.js'),
  vectors: () => import('./vectors.js'),
  warm: () => import('./warm.js'),
  workflow: () => import('./workflow.js'),
};

const options = readOptions(process.argv.slice(2));
const load = BENCHES[options.positionals[0] ?? ''];
if (!load) {
  process.stderr.write(`usage: npm run bench -- ${Object.keys(BENCHES).join('|')} [--json FILE]\n`);
  process.exit(2);
}
try {
  const { run } = await load();
  const report = await run(options);
  process.stdout.write(showReport(report));
  const { json } = options.values;
  if (json) writeFileSync(json, `${JSON.stringify(report, undefined, 2)}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
