/** A graph of 2,000 tools in a real browser: it is drawn, searched and moved while it is arranged. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import type { GraphStats } from '../../src/control/index.js';
import { askDaemon } from '../../src/daemon/index.js';
import { hasChromium } from '../helpers/chromium.js';
import { problemsOf, UiStage } from '../helpers/ui-stage.js';

const TOOLS = 2_000;
const CHAIN = 5;
/** Of the server of the stage; no execution called them. */
const OWN_TOOLS = 6;
const ALL = new RegExp(`Graph with ${TOOLS + OWN_TOOLS} nodes`);
const MOVES = 40;
/** The daemon adds experience to its graph in the background. */
const LEARNING = { timeout: 60_000, interval: 100 };
const MOST_FRAME_MS = 100;

/** Executions that call every tool, five after each other, some twice. */
const EXPERIENCE = Array.from({ length: TOOLS / CHAIN }, (_, chain) => ({
  intent: `work on part ${chain} of the house`,
  calls: Array.from({ length: CHAIN }, (__, place) => ({
    tool: `house:part_${chain}_step_${place}`,
    args: {},
  })),
}));

describe.skipIf(!hasChromium())('graph of the dashboard', () => {
  let stage: UiStage;
  let page: Page;

  beforeAll(async () => {
    stage = await UiStage.create();
    const answer = await askDaemon(stage.workspace.dataDir, 'import', {
      rows: EXPERIENCE,
      mode: 'import',
    } as never);
    if (answer?.['added'] !== EXPERIENCE.length) throw new Error(JSON.stringify(answer));
    await vi.waitFor(async () => {
      const stats = await askDaemon(stage.workspace.dataDir, 'graph-stats');
      // The daemon of this build answers by the contract.
      const { nodes } = stats as unknown as GraphStats;
      if (nodes.tool !== TOOLS) throw new Error(`the graph has ${nodes.tool} tools so far`);
    }, LEARNING);
    page = await stage.signIn();
  });
  afterAll(() => stage?.[Symbol.asyncDispose]());

  const canvas = () => page.locator('.graph-canvas');

  // covers: UI-GRAPH
  test('2,000 tools are drawn, and the page answers while a worker arranges them', async () => {
    await stage.open(page, '/graph');
    await canvas().waitFor();
    await page.getByRole('img', { name: ALL }).waitFor();
    // The page itself does not wait for the layout: this is answered before or while it is made.
    await page.getByRole('searchbox', { name: 'Search the graph' }).fill('part_7_step_3');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'part_7_step_3' }).waitFor();

    await page.locator('.graph-canvas[data-state="ready"]').waitFor();
    await page.getByRole('link', { name: 'Neighbourhood' }).click();
    await page.getByRole('img', { name: /Graph with 3 nodes/ }).waitFor();
    expect(problemsOf(page)).toEqual([]);
  });

  // covers: UI-GRAPH
  test('moving 2,000 arranged tools takes less than 100 ms a frame at the median', async () => {
    await stage.open(page, '/graph');
    await page.getByRole('img', { name: ALL }).waitFor();
    await page.locator('.graph-canvas[data-state="ready"]').waitFor();
    const lengths = await framesWhileMoving(page);

    const median = lengths.toSorted((a, b) => a - b)[Math.floor(lengths.length / 2)]!;
    expect(lengths.length).toBeGreaterThan(10);
    expect(median).toBeLessThan(MOST_FRAME_MS);
  });

  // covers: UI-GRAPH
  test('the strongest path between two tools is found and shown', async () => {
    await stage.open(page, '/graph');
    await page.getByLabel('From').fill('house:part_9_step_0');
    await page.getByLabel('To').fill('house:part_9_step_2');
    await page.getByRole('button', { name: 'Find' }).click();

    const steps = page
      .locator('section', { has: page.getByRole('heading', { name: 'Strongest path' }) })
      .getByRole('listitem');
    await expect.poll(() => steps.count()).toBe(3);
  });

  // covers: UI-GRAPH
  test('the table holds the same 2,000 tools and draws only what is on the screen', async () => {
    await stage.open(page, '/graph?mode=table');
    await page.getByRole('heading', { name: `${TOOLS + OWN_TOOLS} nodes` }).waitFor();
    const rows = page.getByRole('region', { name: /Nodes/ }).getByRole('row');

    expect(await rows.count()).toBeLessThan(120);
    await page.getByRole('searchbox').fill('part_399_step_4');
    await page.getByRole('heading', { name: '1 node', exact: true }).waitFor();
  });
});

/** How long each frame takes while the graph is dragged, in milliseconds. */
async function framesWhileMoving(page: Page): Promise<readonly number[]> {
  const box = await page.locator('.graph-canvas').boundingBox();
  if (!box) throw new Error('the graph is not shown');
  await page.mouse.move(box.x + 200, box.y + 200);
  await page.mouse.down();
  await page.evaluate(`window.__frames = []; (function next(at) {
    window.__frames.push(at);
    if (window.__frames.length <= 2000) requestAnimationFrame(next);
  })(performance.now())`);
  for (let step = 0; step < MOVES; step++) {
    await page.mouse.move(box.x + 200 + step * 5, box.y + 200 + (step % 7) * 9);
  }
  await page.mouse.up();
  const frames = (await page.evaluate('window.__frames')) as readonly number[];
  return frames.slice(1).map((at, place) => at - frames[place]!);
}
