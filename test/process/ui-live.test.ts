/** The dashboard follows a real daemon: runs, decisions and a daemon that dies, in real browsers. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { hasChromium } from '../helpers/chromium.js';
import { type RunAnswer, runOf } from '../helpers/counter.js';
import { problemsOf, UiStage } from '../helpers/ui-stage.js';
import { killIfAlive } from '../helpers/workspace.js';

type Json = Record<string, unknown>;

const soon = { answer_within_ms: 200 };

describe.skipIf(!hasChromium())('dashboard', () => {
  let stage: UiStage;
  let page: Page;
  let other: Page;

  beforeAll(async () => {
    stage = await UiStage.create({
      config: { permissions: { ask: [{ tool: 'notes:send', by: 'person' }] } },
    });
    // The server is up and its tools are known before any run begins.
    await stage.client.text('pml_read', {
      tasks: [{ tool: 'notes:read_note', args: { name: 'x' } }],
    });
    page = await stage.signIn();
    other = await stage.signIn();
    // A page that is loaded again forgets this.
    await page.evaluate('window.__mark = 1');
  });
  afterAll(() => stage?.[Symbol.asyncDispose]());

  const begin = async (intent: string, tasks: readonly Json[]): Promise<RunAnswer> =>
    runOf(await stage.client.call('pml_execute_workflow', { intent, tasks, ...soon }));

  const row = (of: Page, intent: string) =>
    of
      .locator('section', { has: of.getByRole('heading', { name: 'Runs', exact: true }) })
      .getByRole('link', {
        name: intent,
      });

  // covers: UI-SEES
  test('a run appears while it runs and changes when it ends, without a reload', async () => {
    await begin('wait for the sign', [
      { id: 'wait', tool: 'notes:wait_for', args: { file: stage.file('sign') } },
    ]);
    await row(page, 'running wait for the sign').waitFor();
    stage.release('sign');

    await row(page, 'completed wait for the sign').waitFor();
    expect(await page.evaluate('window.__mark')).toBe(1);
  });

  // covers: UI-SEES
  test('a call of a client appears in the activity without a reload', async () => {
    await page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('link', { name: 'Activity' })
      .click();
    await page.getByRole('heading', { name: 'Activity' }).waitFor();
    const calls = page.getByRole('row').filter({ hasText: 'notes:summarize' });
    expect(await calls.count()).toBe(0);

    await stage.client.text('pml_read', {
      tasks: [{ tool: 'notes:summarize', args: { title: 'live' } }],
    });

    await calls.first().waitFor();
    await calls.first().getByRole('link').first().click();
    await page.getByRole('region', { name: 'Request' }).getByText('"live"').waitFor();
    expect(await page.evaluate('window.__mark')).toBe(1);
  });

  // covers: UI-DECIDE
  test('a person approves in one browser, the run goes on, and the other browser sees it', async () => {
    await stage.open(page, '/');
    const { run } = await begin('send the plan', [
      { id: 'send', tool: 'notes:send', args: { to: 'ada', text: 'plan' } },
    ]);
    const asked = other.getByRole('heading', { name: 'Waiting for you' });
    await asked.waitFor();

    await page.getByText('only a person may approve').waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();

    await asked.waitFor({ state: 'detached' });
    await row(other, 'completed send the plan').waitFor();
    const ended = runOf(await stage.client.call('pml_continue', { run, decision: 'wait' }));
    expect(ended).toMatchObject({ tasks: { send: { result: { sent: 'ada' } } } });
  });

  // covers: UI-DECIDE
  test('a rejection with its reason reaches the agent', async () => {
    const { run } = await begin('delete the old note', [
      { id: 'del', tool: 'notes:delete_note', args: { name: 'old' } },
    ]);
    await page.getByRole('button', { name: 'Reject' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('it is still needed');
    await dialog.getByRole('button', { name: 'Reject' }).click();

    await row(page, 'rejected delete the old note').waitFor();
    const answer = await stage.client.call('pml_continue', { run, decision: 'wait' });
    expect(JSON.stringify(answer)).toContain('it is still needed');
  });

  // covers: UI-CALLS
  test('invocation mode shows parallel calls side by side and marks repeats', async () => {
    const files = [stage.file('one'), stage.file('two')];
    const answered = stage.client.text('pml_execute_code', {
      intent: 'wait twice, read twice',
      code: `const files = ${JSON.stringify(files)};
await Promise.all(files.map((file) => mcp.notes.wait_for({ file })));
await mcp.notes.read_note({ name: 'a' });
return await mcp.notes.read_note({ name: 'b' });`,
    });
    await row(page, 'running wait twice, read twice').click();
    // Both run at once: only then they are let go.
    await expect
      .poll(() => page.getByRole('link', { name: /wait_for, task .*, running/ }).count())
      .toBe(2);
    stage.release('one');
    stage.release('two');
    await answered;
    const run = /runs\/([^?]+)/.exec(page.url())?.[1] ?? '';
    await stage.open(page, `/graph?mode=calls&of=${run}`);

    const parallel = page.getByRole('group', { name: '2 calls in parallel' });
    await parallel.waitFor();
    expect(await parallel.locator('.tool-name').allInnerTexts()).toEqual([
      'notes:wait_for#1',
      'notes:wait_for#2',
    ]);
    await page.getByText('read_note again').waitFor();
    const twin = page.getByRole('region', { name: 'Calls in order' });
    expect(await twin.getByRole('row').count()).toBe(5);
    expect(await twin.getByRole('cell', { name: 'notes:read_note#2' }).count()).toBe(1);
  });

  // covers: UI-REPLAY
  test('a finished run can be moved through by its events, with the keyboard', async () => {
    await stage.open(page, '/');
    await begin('read for the replay', [
      { id: 'r', tool: 'notes:read_note', args: { name: 'replayed' } },
    ]);
    await row(page, 'completed read for the replay').click();
    await page
      .getByRole('link', { name: /read_note, task r, completed/ })
      .first()
      .click();
    const pane = page.locator('section', { has: page.getByRole('heading', { name: 'Step r' }) });
    await pane.getByText('completed').first().waitFor();
    const slider = page.getByRole('slider', { name: 'Event of the run' });
    await slider.focus();
    await page.keyboard.press('Home');

    await pane.getByText('waiting').waitFor();
    expect(await pane.getByRole('heading', { name: 'Result' }).count()).toBe(0);
    await page.keyboard.press('End');
    await pane.getByRole('heading', { name: 'Result' }).waitFor();
  });

  // covers: UI-COMES-BACK
  test('the page says that the daemon is away, reconnects and is right again', async () => {
    await stage.open(page, '/');
    await row(page, 'completed read for the replay').waitFor();
    killIfAlive(stage.workspace.daemonPid());
    await page.locator('.banner').getByText('The daemon does not answer').waitFor();

    const client = await stage.workspace.connect();
    await client.text('pml_execute_workflow', {
      intent: 'read after the crash',
      tasks: [{ id: 'r', tool: 'notes:read_note', args: { name: 'back' } }],
    });

    await row(page, 'completed read after the crash').waitFor();
    await row(page, 'completed read for the replay').waitFor();
    await expect.poll(() => page.getByText('The daemon does not answer').count()).toBe(0);
    expect(await page.evaluate('window.__mark')).toBe(1);
    expect(problemsOf(page)).toEqual([]);
  });
});
