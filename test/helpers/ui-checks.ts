/** What every view must hold: nothing hostile ran, and no serious barrier. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeViolation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** Serious and critical barriers that axe finds on the page as it is now. */
export async function barriersOf(page: Page): Promise<readonly string[]> {
  const hasAxe = await page.evaluate('typeof window.axe === "object"');
  if (!hasAxe) await page.evaluate(AXE);
  const violations = (await page.evaluate(
    'axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)',
  )) as readonly AxeViolation[];
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

/** Whether a text of a server ran as a script, or became an element. */
export async function attacksOf(page: Page): Promise<readonly string[]> {
  return (await page.evaluate(`[
    ...(window.__hit ? ['a script ran'] : []),
    ...[...document.querySelectorAll('img[src="x"], svg[onload], [onerror], main b, main script')].map(
      (one) => one.outerHTML.slice(0, 120),
    ),
  ]`)) as readonly string[];
}

/** How far the page is wider than its window. */
export async function overflowOf(page: Page): Promise<number> {
  return (await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )) as number;
}
