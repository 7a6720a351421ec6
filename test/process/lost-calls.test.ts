/** Calls without an answer: whether PML reports that they may have happened. */
import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Counter, createCounter, execute } from '../helpers/counter.js';
import { type PmlClient, textOf } from '../helpers/pml-client.js';

const DOUBT = 'may or may not have been carried out';

let counter: Counter;
let client: PmlClient;

beforeAll(async () => {
  counter = await createCounter();
  const { workspace } = counter;
  change((servers) => ({
    ...servers,
    two: { ...servers['two'], timeoutMs: 400 },
    none: { command: '/there/is/no/such/program' },
  }));
  client = await workspace.connect();
});

afterAll(() => counter[Symbol.asyncDispose]());

type Servers = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Writes the configuration with other servers; the daemon reloads it by itself. */
function change(make: (servers: Servers) => Servers): void {
  const { workspace } = counter;
  const config = JSON.parse(readFileSync(workspace.configPath, 'utf8')) as { mcpServers: Servers };
  workspace.configure({ ...config, mcpServers: make(config.mcpServers) });
}

/** Changes the server's entry, so that it gets a new process. */
function reconfigure(mark: string): void {
  change((servers) => ({
    ...servers,
    one: { ...servers['one'], env: { ...(servers['one']?.['env'] as object), MARK: mark } },
  }));
}

async function started(key: string): Promise<void> {
  await expect.poll(() => counter.timesOf(key)).toBe(1);
}
const lone = (tool: string, key: string) => execute(client, [{ tool, args: { key } }]);

describe('a writing call that had left [CALL-IN-DOUBT]', () => {
  test('writing call reports that it may have happened when its server is reconfigured', async () => {
    const inRun = lone('one:hang', 'hang-run');
    await started('hang-run');
    const direct = client.call('one__hang', { key: 'hang-direct' });
    await started('hang-direct');

    reconfigure('a');

    for (const answer of await Promise.all([inRun, direct])) {
      expect(textOf(answer)).toContain('[SERVER_DISABLED] Server one was stopped');
      expect(textOf(answer)).toContain(DOUBT);
    }
  });

  test('writing call reports that it may have happened when its server crashes or times out', async () => {
    const answers = [
      ['SERVER_CRASHED', await lone('one:crash', 'crash-run')],
      ['SERVER_CRASHED', await client.call('one__crash', { key: 'crash-direct' })],
      ['TOOL_TIMED_OUT', await lone('two:hang', 'late-run')],
      ['TOOL_TIMED_OUT', await client.call('two__hang', { key: 'late-direct' })],
      ['SERVER_PROTOCOL_ERROR', await client.call('one__garbage', { kind: 'shape' })],
    ] as const;

    for (const [code, answer] of answers) {
      expect(textOf(answer)).toContain(`[${code}]`);
      expect(textOf(answer)).toContain(DOUBT);
    }
  });
});

describe('a call that changed nothing', () => {
  test('call that changed nothing does not report that it may have happened', async () => {
    const answers = [
      // PML never sent this call.
      await lone('none:anything', 'never'),
      await client.call('none__anything', { key: 'never' }),
      // This call only reads.
      await client.call('one__crash_reading', { key: 'reading', times: 9 }),
      // The server answered this call.
      await lone('one:nothing', 'unknown'),
    ];

    for (const answer of answers) {
      expect(answer.error ?? answer.result?.['isError']).toBeTruthy();
      expect(textOf(answer)).not.toContain(DOUBT);
    }
  });
});
