/** Every view, with a server whose texts attack the page, in both themes and on a small screen. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { CapabilityRow, RunInfo } from '../../src/control/index.js';
import { askDaemon } from '../../src/daemon/index.js';
import { hasChromium } from '../helpers/chromium.js';
import { attacksOf, barriersOf, overflowOf } from '../helpers/ui-checks.js';
import { problemsOf, UiStage } from '../helpers/ui-stage.js';

const ATTACK = `<img src=x onerror="window.__hit=1"><script>window.__hit=1</script>`;
const LONG = 'averylongwordthatnothingbreaks'.repeat(8);

interface View {
  readonly name: string;
  readonly link: string;
  /** What is on the page once everything of the view is. */
  readonly ready: (page: Page) => Promise<void>;
}

const text = (wanted: string | RegExp) => (page: Page) => page.getByText(wanted).first().waitFor();
const heading = (wanted: string) => (page: Page) =>
  page.getByRole('heading', { name: wanted }).first().waitFor();

describe.skipIf(!hasChromium())('views of the dashboard', () => {
  let stage: UiStage;
  let views: readonly View[] = [];

  beforeAll(async () => {
    stage = await UiStage.create({ isHostile: true });
    views = await fill(stage);
  });
  afterAll(() => stage?.[Symbol.asyncDispose]());

  // covers: UI-XSS
  // covers: UI-AXE
  test.each(['light', 'dark'] as const)(
    'hostile texts stay texts, and axe finds no serious barrier, in the %s theme',
    async (colorScheme) => {
      const page = await stage.signIn({ colorScheme });
      let attacked = 0;
      for (const { name, link, ready } of views) {
        await stage.open(page, link);
        await ready(page);

        attacked += (await page.getByText('onerror=').count()) > 0 ? 1 : 0;
        expect({ name, attacks: await attacksOf(page) }).toEqual({ name, attacks: [] });
        expect({ name, barriers: await barriersOf(page) }).toEqual({ name, barriers: [] });
      }
      expect(problemsOf(page)).toEqual([]);
      // Elsewhere only tools are named, and their names hold nothing hostile.
      expect(attacked).toBeGreaterThanOrEqual(10);
    },
  );

  // covers: UI-NARROW
  test('no view is wider than a screen of 360 pixels', async () => {
    const page = await stage.signIn({ viewport: { width: 360, height: 740 } });
    for (const { name, link, ready } of views) {
      await stage.open(page, link);
      await ready(page);

      expect({ name, overflow: await overflowOf(page) }).toEqual({ name, overflow: 0 });
    }
  });

  test('the views are reached and used with the keyboard alone', async () => {
    const page = await stage.signIn();
    const runs = page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('link', { name: 'Runs' });
    await runs.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor();
    const first = page.getByRole('region', { name: 'Runs' }).getByRole('link').first();
    await first.focus();
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: 'Waterfall' }).waitFor();
    expect(page.url()).toContain('#/runs/run_');
  });
});

/** Something in every view: runs that worked, failed and wait, calls, a capability, decisions. */
async function fill({ client, workspace }: UiStage): Promise<readonly View[]> {
  const intent = `summarize a note ${ATTACK} ${LONG}`;
  await client.call('pml_discover', { intent });
  await client.call('pml_execute_code', {
    intent,
    code: `const note = await mcp.notes.read_note({ name: ${JSON.stringify(ATTACK)} });
console.log(${JSON.stringify(ATTACK)});
return await mcp.notes.summarize({ title: note.title, lines: note.lines });`,
  });
  await client.call('pml_execute_workflow', {
    intent: `fail ${ATTACK}`,
    tasks: [
      { id: 'f', tool: 'notes:fail_first', args: { key: ATTACK } },
      { id: 'r', tool: 'notes:read_note', args: { name: LONG } },
    ],
  });
  await client.call('pml_execute_workflow', {
    intent: `delete ${ATTACK}`,
    tasks: [{ id: 'd', tool: 'notes:delete_note', args: { name: ATTACK } }],
    answer_within_ms: 200,
  });
  const ask = async <T>(method: 'runs' | 'capabilities'): Promise<T> =>
    // The daemon of this build answers by the contract.
    (await askDaemon(workspace.dataDir, method)) as unknown as T;
  const { runs } = await ask<{ runs: readonly RunInfo[] }>('runs');
  const { capabilities } = await ask<{ capabilities: readonly CapabilityRow[] }>('capabilities');
  const idOf = (words: string) => runs.find((run) => run.intent?.startsWith(words))?.run ?? '';
  const capability = encodeURIComponent(capabilities[0]?.name ?? '');
  const [code, failed] = [idOf('summarize'), idOf('fail')];
  return [
    { name: 'overview', link: '/', ready: heading('Waiting for you') },
    { name: 'runs', link: '/runs', ready: text(/^3 runs/) },
    { name: 'run', link: `/runs/${failed}?step=f`, ready: heading('Step f') },
    { name: 'run of code', link: `/runs/${code}?view=calls`, ready: text('#1') },
    { name: 'history', link: `/runs/${code}?view=history`, ready: text(/\d+ events/) },
    { name: 'compare', link: `/runs/${code}/compare/${failed}`, ready: heading('Tasks') },
    { name: 'activity', link: '/activity', ready: text('pml_discover') },
    { name: 'call', link: '/activity/a2', ready: heading('Request') },
    {
      name: 'graph',
      link: '/graph',
      ready: (page) => page.locator('[data-state="ready"]').waitFor(),
    },
    { name: 'graph as a table', link: '/graph?mode=table', ready: text(/\d+ nodes/) },
    {
      name: 'calls',
      link: `/graph?mode=calls&of=cap:${capability}`,
      ready: heading('The same as a table'),
    },
    { name: 'capabilities', link: '/capabilities', ready: text(/^1 capability/) },
    { name: 'capability', link: `/capabilities/${capability}`, ready: heading('Locked tools') },
    {
      name: 'why',
      link: `/why?q=${encodeURIComponent(intent)}`,
      ready: text('Makes a short text'),
    },
    { name: 'why of a run', link: `/why?q=${code}`, ready: heading('Similar runs') },
    { name: 'learning', link: '/learning', ready: heading('Quality of decisions') },
    { name: 'trust', link: '/trust', ready: heading('History of definitions') },
    { name: 'permissions', link: '/trust/permissions', ready: text('notes:delete_note') },
  ];
}
