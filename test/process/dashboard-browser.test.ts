/** The page of the dashboard in a real browser, against a real daemon. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { hasChromium, launchChromium } from '../helpers/chromium.js';
import { openUi } from '../helpers/dashboard.js';
import { plain, Workspace } from '../helpers/workspace.js';

describe.skipIf(!hasChromium())('the page', () => {
  let workspace: Workspace;
  let browser: Browser;

  beforeAll(async () => {
    workspace = await Workspace.create({ mcpServers: { plain: plain() } });
    browser = await launchChromium();
  });

  afterAll(async () => {
    await browser?.close();
    await workspace[Symbol.asyncDispose]();
  });

  /** All errors of the page. */
  function complaintsOf(page: Page): readonly string[] {
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    return complaints;
  }

  // covers: UI-SEES
  test('dashboard page signs in, shows the servers, and shows a new call without a reload', async () => {
    const page = await browser.newPage();
    const complaints = complaintsOf(page);
    const { url, address } = await openUi(workspace);

    await page.goto(url);

    expect(page.url()).toBe(address);
    await page.getByText('plain', { exact: true }).first().waitFor();
    const client = await workspace.connect();
    await client.call('pml_read', { tasks: [{ tool: 'plain:echo', args: { text: 'hello' } }] });
    await page.getByText('plain:echo').first().waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('dashboard page without a cookie says how to sign in, and shows nothing', async () => {
    const { address } = await openUi(workspace);
    const context = await browser.newContext();
    const page = await context.newPage();

    await page.goto(address);

    await page.getByText('pml ui').first().waitFor();
    expect(await page.getByText('plain', { exact: true }).count()).toBe(0);
    await context.close();
  });
});
