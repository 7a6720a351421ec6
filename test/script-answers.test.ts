/** Agent scripts return the same in the sandbox as in plain Node. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, describe, expect, test } from 'vitest';

import {
  type JsonValue,
  type SandboxCall,
  type SandboxEnd,
  type SandboxReply,
  silentLogger,
} from '../src/core/index.js';
import { createSandbox } from '../src/sandbox/index.js';
import { preparedText } from './helpers/of-text.js';
import { compileScript, runScript } from './helpers/run-script.js';
import { createScriptServers, type ScriptServers } from './helpers/script-servers.js';

const FOLDER = new URL('fixtures/scripts/', import.meta.url);
const scripts = readdirSync(FOLDER).map(
  (file) => [file, readFileSync(new URL(file, FOLDER), 'utf8')] as const,
);
const limits = {
  wallMs: 20_000,
  cpuMs: 10_000,
  memoryBytes: 64_000_000,
  calls: 500,
  outputBytes: 1_000_000,
  logLines: 100,
};

const sandbox = createSandbox({ log: silentLogger });
afterAll(() => sandbox[Symbol.asyncDispose]());

/** Only JSON crosses the border of a sandbox. */
const asJson = (value: unknown) => JSON.parse(JSON.stringify(value ?? null)) as JsonValue;

/** Answers the calls of a sandbox with the servers that plain code uses. */
async function answer(
  { mcp, cap, load }: ScriptServers,
  { kind, name, args }: SandboxCall,
): Promise<SandboxReply> {
  const [server = '', tool = ''] = name.split(':');
  const call = kind === 'tool' ? mcp[server]?.[tool] : kind === 'capability' ? cap[name] : load;
  try {
    const given = (kind === 'load' ? name : (args ?? undefined)) as never;
    if (!call) throw new Error(`No ${kind} ${name}`);
    return { ok: true, value: asJson(await call(given)), now: 0 };
  } catch (error) {
    const { name: kindOfError, message, code } = error as Error & { code?: string };
    const told = { name: kindOfError, message, ...(code !== undefined && { code }) };
    return { ok: false, error: told, now: 0 };
  }
}

async function inSandbox(text: string): Promise<{ end: SandboxEnd; calls: JsonValue }> {
  const servers = createScriptServers();
  const end = await sandbox.run(
    { source: preparedText(text).source, args: {}, seed: 1, now: Date.now() },
    {
      call: (call) => answer(servers, call),
      log: () => {},
      operated: () => {},
      waitUntil: (due) => delay(Math.max(0, due - Date.now())),
    },
    { limits, signal: new AbortController().signal },
  );
  return { end, calls: asJson(servers.calls) };
}

async function inNode(text: string): Promise<{ value: JsonValue; calls: JsonValue }> {
  const { mcp, cap, load, calls } = createScriptServers();
  const value = await runScript(compileScript(text), { mcp, cap, load, args: {}, console });
  return { value: asJson(value), calls: asJson(calls) };
}

test('fixture folder has more than thirty scripts', () => {
  expect(scripts.length).toBeGreaterThan(30);
});

describe('in the sandbox as in plain Node', () => {
  test.each(scripts)(
    'script %s gives the same result and calls in the sandbox as in plain Node',
    async (_file, text) => {
      const plain = await inNode(text);

      const { end, calls } = await inSandbox(text);

      expect(end).toEqual({ status: 'returned', value: plain.value });
      expect(calls).toEqual(plain.calls);
    },
  );
});
