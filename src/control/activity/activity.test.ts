import { expect, test } from 'vitest';

import { ActivityLog, type FinishedCall } from '../../activity/index.js';
import { listActivity, showActivity } from './activity.js';

const SECRET = 'sk-live-0123456789abcdef';

function daemonWith(...calls: readonly Partial<FinishedCall>[]) {
  const activity = new ActivityLog({ mostCharacters: 2_000 });
  for (const one of calls) {
    activity.record({
      at: 1_700_000_000_000,
      ms: 1,
      client: 'cursor',
      way: 'run',
      tool: 'files:read',
      server: 'files',
      outcome: 'ok',
      request: {},
      ...one,
    });
  }
  const mask = (text: string) => text.replaceAll(SECRET, '***');
  return { workflows: { tools: { activity } }, mask };
}

test('calls are found by words, client, way and outcome, page by page', async () => {
  const daemon = daemonWith(
    { tool: 'files:read' },
    { tool: 'mail:send', client: 'claude', way: 'direct', server: 'mail' },
    { tool: 'files:write', outcome: 'failed', error: 'disk full' },
    { tool: 'files:read', run: 'run_1' },
  );
  const found = async (filter: Parameters<typeof listActivity>[1]) =>
    (await listActivity(daemon, filter)).rows.map(({ id }) => id);

  expect(await found({ text: 'READ files' })).toEqual(['a4', 'a1']);
  expect(await found({ text: 'disk' })).toEqual(['a3']);
  expect(await found({ client: 'claude' })).toEqual(['a2']);
  expect(await found({ way: 'run', outcome: 'ok', run: 'run_1' })).toEqual(['a4']);
  const page = await listActivity(daemon, { limit: 3 });
  expect(page).toMatchObject({ next: 'a2', kept: 4, total: 4, clients: ['claude', 'cursor'] });
  expect(await found({ before: 'a2' })).toEqual(['a1']);
});

// covers: UI-MASKED
test('request, response and error hide secrets, also one that the cut went through', async () => {
  const filler = 'x'.repeat(1_960);
  const daemon = daemonWith(
    { request: { key: SECRET }, response: { text: `bad key ${SECRET}` }, error: `no ${SECRET}` },
    { request: { text: `${filler} ${SECRET} and more that is cut` } },
  );

  const shown = await showActivity(daemon, { id: 'a1' });
  const cut = await showActivity(daemon, { id: 'a2' });

  expect(JSON.stringify(shown)).not.toContain('sk-live');
  expect(shown.response?.text).toBe('{"text":"bad key ***"}');
  expect(cut.request?.isCut).toBe(true);
  expect(cut.request?.text).not.toContain('sk-');
});

test('a call that is gone, or never was, is refused in words', async () => {
  await expect(showActivity(daemonWith(), { id: 'a9' })).rejects.toThrow('not kept any more');
  await expect(showActivity(daemonWith(), { id: 'x' })).rejects.toThrow('no id of a call');
});
