/** `pml demo`: the session that README and newcomers see. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { describeDemo } from '../../src/cli/demo/describe-demo.js';
import type { DemoReport } from '../../src/cli/demo/run-demo.js';
import { Workspace } from '../helpers/workspace.js';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

// covers: DEMO-SAME
test('pml demo plays the same session every time, saves tokens and leaves nothing behind', async () => {
  await using workspace = await Workspace.create({ mcpServers: {} }, { isNew: true });

  const env = { ...process.env, HOME: workspace.path, TMPDIR: join(workspace.path, 'tmp') };
  const demo = (...flags: string[]) =>
    promisify(execFile)(process.execPath, [CLI, 'demo', ...flags], { env });

  const json = await demo('--json');
  const text = await demo();

  const report = JSON.parse(json.stdout) as DemoReport;
  expect(text.stdout).toBe(`${describeDemo(report)}\n`);
  const [found, workflow, code, again, capability, plan] = report.steps;
  expect(found?.answer).toMatch(/^\{"hits":\[\{"tool":"crm:list_invoices"/);
  expect(workflow?.answer).toContain('"status":"completed"');
  expect(code?.answer).toContain('"calls":4');
  expect(again?.answer).toMatch(/^\{"hits":\[.*"tool":"cap:customersWithHighestTotal/);
  expect(code?.answer).toContain(capability?.answer);
  // The plan names what served the question before, with its argument, and PML is sure of it.
  expect(plan?.answer).toMatch(/"mode":"suggestion","confidence":0\.9\d/);
  expect(plan?.answer).toContain('"tool":"cap:');
  expect(plan?.answer).toContain('"args":{"status":"overdue"}');
  expect(report.menu.pml).toBeLessThan(report.menu.direct);
  expect(report.total.pml.tokens).toBeLessThan(report.total.direct.tokens);
  expect(report.total.pml.roundTrips).toBeLessThan(report.total.direct.roundTrips);
  expect(readdirSync(join(workspace.path, 'tmp'))).toEqual([]);
  expect(workspace.processes()).toEqual([]);
});
