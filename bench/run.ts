/** `npm run bench -- NAME [--json FILE]`: every number we claim, as a program that prints it. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { type Report, showReport } from './report.js';

/** Loaded when asked for: one bench must not need what another one needs. */
const BENCHES: Readonly<Record<string, () => Promise<{ run: () => Promise<Report> }>>> = {
  gateway: () => import('./gateway.js'),
  search: () => import('./search.js'),
  vectors: () => import('./vectors.js'),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' } },
});
const load = BENCHES[positionals[0] ?? ''];
if (!load) {
  process.stderr.write(`usage: npm run bench -- ${Object.keys(BENCHES).join('|')} [--json FILE]\n`);
  process.exit(2);
}
const { run } = await load();
const report = await run();
process.stdout.write(showReport(report));
if (values.json) writeFileSync(values.json, `${JSON.stringify(report, undefined, 2)}\n`);
