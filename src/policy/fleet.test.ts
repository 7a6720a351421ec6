/**
 * What the rule for reading costs on the real tools of some sixty published servers, where their list is
 * at hand.
 *
 * Method: a tool counts as read-only if its server says `readOnlyHint` and its description says nothing
 * else. Of the 478 tools with the hint, the descriptions of those whose names do not begin with a reading
 * verb were read, and the others searched for words of change; those that change something all the same
 * are named in `NOT_READING` with what they change. Of the rest at least 95 % must stay within reach of `pml_read`;
 * the test prints the others, and the tools that say they write and would pass for reading if they lied.
 * The word lists were made with these tools in view: the figures say what the rule costs here, not elsewhere.
 */
import { describe, expect, test } from 'vitest';

import { hasFleet, readFleet } from '../../test/helpers/fleet.js';
import type { ToolDefinition, ToolId } from '../core/index.js';
import { createToolPolicy } from './tool-policy.js';

/** Read-only by hint, and not by description. */
const NOT_READING: ReadonlyMap<string, string> = new Map([
  ['chrome-devtools:select_page', 'sets the page that later calls use'],
  ['gitlab-zereight:discover_tools', 'activates tools for the session'],
  ['gitlab-zereight:download_attachment', 'can save to a path on the disk'],
  ['kubernetes:kubectl_context', 'can set the current context'],
  ['mongodb:connect', 'opens a connection that later calls use'],
  ['mongodb:disconnect', 'closes a connection'],
  ['ms-365:download-bytes-to-file', 'writes a file'],
]);

describe.skipIf(!hasFleet)('with the fleet (skipped where its tool list is missing)', () => {
  const policyOf = createToolPolicy({
    permissions: { allow: [], ask: [], deny: [] },
    idempotent: [],
  });
  const tools = readFleet();
  const isReading = (id: ToolId, definition: ToolDefinition) =>
    policyOf(id, definition).risk === 'read';

  // covers: SAFE-READ-NAMES
  test('at least 95 % of the tools that only read stay readable', () => {
    const hinted = tools.filter(({ definition }) => definition.annotations?.readOnlyHint === true);
    const reading = hinted.filter(({ id }) => !NOT_READING.has(id));

    const lost = reading.filter(({ id, definition }) => !isReading(id, definition));

    process.stdout.write(
      `${reading.length - lost.length} of ${reading.length} reading tools stay readable; lost: ${lost.map(({ id }) => id).join(', ')}\n`,
    );
    expect(hinted.length - reading.length).toBe(NOT_READING.size);
    expect(lost.length / reading.length).toBeLessThanOrEqual(0.05);
  });

  test('nine of ten tools that say they write would not pass for reading if they lied', () => {
    const writing = tools.filter(
      ({ definition }) => definition.annotations?.readOnlyHint === false,
    );

    const passing = writing.filter(({ id, definition }) =>
      isReading(id, { ...definition, annotations: { readOnlyHint: true } }),
    );

    process.stdout.write(
      `${passing.length} of ${writing.length} writing tools would pass: ${passing.map(({ id }) => id).join(', ')}\n`,
    );
    expect(writing.length).toBeGreaterThan(400);
    expect(passing.length / writing.length).toBeLessThanOrEqual(0.1);
  });
});
