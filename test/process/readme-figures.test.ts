import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { measureSample, type SampleCosts } from '../../bench/sample.js';

/** How far a measured figure may be from the one in the README. */
const TOLERANCE = 0.1;

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** The three numbers of one row: directly, with PML, with PML again. */
function figuresOf(row: string): readonly number[] {
  const [line = ''] = readme.match(new RegExp(`^\\| ${row} \\|.*$`, 'm')) ?? [];
  return [...line.matchAll(/\| \**([\d,]+)/g)].map(([, text = '']) =>
    Number(text.replaceAll(',', '')),
  );
}

// covers: README-FIGURES
test('the README states what the bench `sample` measures, within a tenth', async () => {
  // By words alone: the same calls, and no model to wait for.
  const costs: SampleCosts = await measureSample({ embedding: 'none' });

  const measured = [costs.direct, costs.pml, costs.again];
  const rows = [
    [figuresOf('tool descriptions in the context'), measured.map((one) => one.menuTokens)],
    [figuresOf('round trips'), measured.map((one) => one.roundTrips)],
    [figuresOf('tokens the model reads over the task'), measured.map((one) => one.readTokens)],
  ] as const;
  for (const [stated, found] of rows) {
    expect(stated).toHaveLength(3);
    for (const [at, value] of found.entries()) {
      expect(Math.abs(value - stated[at]!), `stated ${stated[at]}, found ${value}`).toBeLessThan(
        TOLERANCE * value,
      );
    }
  }
});
