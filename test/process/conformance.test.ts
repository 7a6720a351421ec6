/** The official MCP conformance suite against PML over HTTP, with our own server behind it. */
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

import { conformanceHarness } from '../helpers/conformance-harness.js';
import { serveHttp } from '../helpers/http-gateway.js';
import { Workspace } from '../helpers/workspace.js';

const FIXTURE = fileURLToPath(new URL('../fixtures/conformance-server.mjs', import.meta.url));

/** How many scenarios pass by revision; fewer means that the suite did not really run. */
const PASSING = {
  proxy: { '2025-11-25': 33, '2026-07-28': 41 },
  meta: { '2025-11-25': 32, '2026-07-28': 39 },
};

/** Not required by any revision: the extension for tasks, and what looks for a tool in `tools/list`. */
const NOT_REQUIRED = {
  proxy: /^tasks-/,
  meta: /^tasks-|^json-schema-2020-12$|^http-custom-header-server-validation$/,
};

const harness = await conformanceHarness();
const why = harness.status === 'missing' ? ` SKIPPED: ${harness.reason}` : '';

describe.skipIf(harness.status === 'missing')(`conformance${why}`, () => {
  // covers: ERAS-CONFORM
  test.each(['proxy', 'meta'] as const)('%s mode passes what is required', async (exposure) => {
    if (harness.status === 'missing') return;
    await using workspace = await Workspace.create({
      exposure,
      // The suite has no way to send a token.
      http: { token: false },
      mcpServers: { fixture: { command: process.execPath, args: [FIXTURE] } },
    });
    await using http = await serveHttp(workspace);

    for (const [revision, scenarios] of Object.entries(PASSING[exposure])) {
      const { code, passed, failed, output } = await harness.check(http.url, revision);
      const unexpected = failed.filter((name) => !NOT_REQUIRED[exposure].test(name));

      const report = unexpected.length > 0 || code !== 0 ? output.slice(-6_000) : '';
      expect({ revision, code, unexpected, report }).toMatchObject({ code: 0, unexpected: [] });
      expect(passed.length).toBeGreaterThanOrEqual(scenarios);
    }
  });
});
