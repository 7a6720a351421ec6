/** What `pml metrics speculation`, `pml status` and `pml forget` say and do, over a real daemon. */
import { expect, test } from 'vitest';

import type { ForgottenRows, SpeculationMetrics } from '../../src/control/index.js';
import { silentLogger, type ToolId } from '../../src/core/index.js';
import { createEmbeddedStore } from '../../src/store/index.js';
import { anEpisode } from '../conformance/episode-store.js';
import { plain, Workspace } from '../helpers/workspace.js';

/** What an earlier daemon left in the store. */
async function seed({ dataDir }: Workspace): Promise<void> {
  await using store = await createEmbeddedStore({ dataDir, logger: silentLogger });
  await store.episodes.add(
    Array.from({ length: 40 }, (_, place) =>
      anEpisode(`e${place}`, {
        at: new Date(Date.UTC(2026, 10, 2, 8, place)),
        predicted: `files:${place % 4 === 0 ? 'search_all' : 'read'}` as ToolId,
        outcome: place % 4 === 0 ? 'other' : 'exact',
      }),
    ),
  );
  const at = new Date(Date.UTC(2026, 10, 2, 9));
  await store.episodes.saveThresholds([
    { rung: 'speculate', kind: 'search', value: 0.95, isOff: true, why: 'off: it did not pay', at },
  ]);
}

test('[SPEC-FORGET] figures of earlier sessions are shown, and forgotten for good', async () => {
  await using workspace = await Workspace.create({
    embedding: 'none',
    mcpServers: { files: plain() },
  });
  await seed(workspace);
  const metrics = async (): Promise<SpeculationMetrics> =>
    JSON.parse((await workspace.run('metrics', 'speculation', '--json')).stdout);

  const before = await metrics();
  const text = await workspace.run('metrics', 'speculation');
  const status = await workspace.run('status');
  const forgotten = await workspace.run('forget', 'episodes', '--json');
  const unknown = await workspace.run('forget', 'everything');
  await workspace.stop();
  const after = await metrics();
  const rest = await workspace.run('forget', 'speculation');
  await workspace.stop();

  expect(before).toMatchObject({
    predictions: 40,
    rungs: [{ rung: 'speculate', exact: 30, served: 30, wasted: 10 }],
    clients: [{ client: 'claude-code', predictions: 40 }],
    extraCalls: [{ server: 'files', calls: 10 }],
    episodes: { inUse: false },
  });
  expect(before.thresholds.find(({ kind }) => kind === 'search')).toMatchObject({ isOff: true });
  expect(text.stdout).toMatch(/calls made ahead +search +off .*off: it did not pay/);
  expect(status.stdout).toMatch(/speculation +40 predictions, 30 useful, 10 unused/);
  expect(JSON.parse(forgotten.stdout) as ForgottenRows).toEqual({ episodes: 40, thresholds: 0 });
  expect(unknown.code).not.toBe(0);
  expect(unknown.stderr).toContain('episodes, thresholds, speculation');
  expect(after).toMatchObject({ predictions: 0, thresholds: [{ kind: 'search', isOff: true }] });
  expect(rest.stdout).toBe('PML forgot 0 episodes and 1 threshold.\n');
  expect((await metrics()).thresholds).toEqual([]);
});
