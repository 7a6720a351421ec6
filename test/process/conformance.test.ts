/** The official MCP conformance suite against PML over HTTP, with our own server behind it. */
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

import { conformanceHarness } from '../helpers/conformance-harness.js';
import { serveHttp } from '../helpers/http-gateway.js';
import { Workspace } from '../helpers/workspace.js';

const FIXTURE = fileURLToPath(new URL('../fixtures/conformance-server.mjs', import.meta.url));
const CLIENT_FIXTURE = fileURLToPath(
  new URL('../fixtures/conformance-client.mjs', import.meta.url),
);
const TASKS_FIXTURE = fileURLToPath(new URL('../fixtures/tasks-server.mjs', import.meta.url));

/** How many scenarios pass by revision; fewer means that the suite did not really run. */
const PASSING = {
  proxy: { '2025-11-25': 33, '2026-07-28': 41 },
  meta: { '2025-11-25': 32, '2026-07-28': 39 },
};

/** Not required by any revision: tasks, which need other tools, and what looks for a tool in `tools/list`. */
const NOT_REQUIRED = {
  proxy: /^tasks-/,
  meta: /^tasks-|^json-schema-2020-12$|^http-custom-header-server-validation$/,
};

/** Scenarios of the tasks extension, and how many checks of each pass. */
const TASKS = {
  'tasks-lifecycle': 9,
  'tasks-capability-negotiation': 5,
  'tasks-wire-fields': 4,
  'tasks-request-state-removal': 3,
  'tasks-mrtr-input': 4,
  'tasks-request-headers': 5,
  'tasks-dispatch-and-envelope': 9,
  // The suite skips its one check: it waits for a rewrite of that scenario.
  'tasks-status-notifications': 0,
  'tasks-required-task-error': 3,
  'tasks-mrtr-composition': 2,
};

/** Everything about authorization that both revisions require of clients, and a machine with a secret. */
const AUTH = [
  'metadata-default',
  'metadata-var1',
  'metadata-var2',
  'metadata-var3',
  'basic-cimd',
  'scope-from-www-authenticate',
  'scope-from-scopes-supported',
  'scope-omitted-when-undefined',
  'scope-step-up',
  'scope-retry-limit',
  'token-endpoint-auth-basic',
  'token-endpoint-auth-post',
  'token-endpoint-auth-none',
  'pre-registration',
  'resource-mismatch',
  'offline-access-scope',
  'offline-access-not-supported',
  'authorization-server-migration',
  'iss-supported',
  'iss-not-advertised',
  'iss-supported-missing',
  'iss-wrong-issuer',
  'iss-unexpected',
  'iss-normalized',
  'metadata-issuer-mismatch',
  'client-credentials-basic',
  // Of a revision before those: metadata at the server itself.
  '2025-03-26-oauth-metadata-backcompat',
];
/** Scenarios that run side by side; each starts a daemon of its own. */
const AT_ONCE = 3;

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

  // covers: TASKS-CONFORM
  test('PML passes the scenarios of the tasks extension', async () => {
    if (harness.status === 'missing') return;
    await using workspace = await Workspace.create({
      exposure: 'proxy',
      http: { token: false },
      mcpServers: { fixture: { command: process.execPath, args: [TASKS_FIXTURE] } },
    });
    await using http = await serveHttp(workspace);

    for (const name of Object.keys(TASKS)) {
      // One after the other: each has time limits of its own.
      const { passed, failed, output } = await harness.scenario(http.url, name);
      const report = failed > 0 ? output.slice(-3_000) : '';
      expect({ name, passed, failed, report }).toMatchObject({
        passed: TASKS[name as keyof typeof TASKS],
        failed: 0,
      });
    }
  });

  // covers: AUTH-CONFORM
  test('PML signs in as the scenarios about authorization demand of a client', async () => {
    if (harness.status === 'missing') return;
    const names = AUTH.map((name) => `auth/${name}`);
    const left = [...names];
    const verdicts = new Map<string, string>();
    const work = async () => {
      for (let name = left.shift(); name !== undefined; name = left.shift()) {
        const { passed, failed, output } = await harness.client(CLIENT_FIXTURE, name);
        verdicts.set(name, failed === 0 && passed > 0 ? 'passed' : output.slice(-3_000));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));

    expect(Object.fromEntries(verdicts)).toEqual(
      Object.fromEntries(names.map((name) => [name, 'passed'])),
    );
  }, 600_000);
});
