/** Samples in the documentation work: JSON, command lines and scripts. */
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';

import { SAMPLE_CODE } from '../bench/sample.js';
import { ALL_COMMANDS } from '../src/cli/all-commands.js';
import { createProgram } from '../src/cli/program.js';
import { parseCode, prepareCode } from '../src/code/index.js';
import { parseConfig } from '../src/config/load.js';
import { isJsonObject, type JsonObject, messageOf, silentLogger } from '../src/core/index.js';
import { parsePlan } from '../src/plan/index.js';
import { createSandbox } from '../src/sandbox/index.js';
import { readWorkflow } from '../src/workflows/plan/read-workflow.js';
import { RecordingHost, runScript } from './conformance/sandbox.js';
import {
  type Fence,
  fencesOf,
  readPages,
  withoutFences,
  withoutGenerated,
} from './helpers/markdown.js';
import { answerSample } from './helpers/sample-answers.js';

const pages = readPages();
const fences = pages.flatMap(fencesOf);
const inLanguage = (...names: string[]) => fences.filter(({ info }) => names.includes(info[0]!));
const placeOf = ({ page, line }: Fence) => `${page}:${line}`;

/** What is wrong with each of the samples, by its place. */
function faultsIn(samples: readonly Fence[], check: (sample: Fence) => void): readonly string[] {
  return samples.flatMap((sample) => {
    try {
      check(sample);
      return [];
    } catch (error) {
      return [`${placeOf(sample)}: ${messageOf(error)}`];
    }
  });
}

function checkWorkflow(request: JsonObject): void {
  const { tasks } = readWorkflow(request);
  if (tasks !== undefined) parsePlan(tasks, { maxTasks: 200 });
}

describe('JSON samples of the documentation', () => {
  /** Every variable has a value: a sample may name any. */
  const env = new Proxy({}, { get: () => 'a-value-of-the-environment' });
  const checks: Readonly<Record<string, (value: JsonObject, text: string) => void>> = {
    config: (_value, text) => void parseConfig(text, { path: '/docs/pml.json', env }),
    workflow: (value) => checkWorkflow(value),
    task: (value) => checkWorkflow({ tasks: [value] }),
  };
  const checkJson = ({ info, body }: Fence) => {
    const value: unknown = JSON.parse(body);
    const [, kind] = info;
    if (kind === undefined) return;
    if (!isJsonObject(value) || !checks[kind]) throw new Error(`unknown kind of sample: ${kind}`);
    checks[kind](value, body);
  };

  // covers: DOCS-SAMPLES
  test('every JSON sample parses, configurations against the schema, workflows as requests', () => {
    expect(inLanguage('json').length).toBeGreaterThan(10);
    expect(faultsIn(inLanguage('json'), checkJson)).toEqual([]);
  });

  test('the check of JSON samples finds an unknown key and a task without a tool', () => {
    const sample = (info: string, body: string): Fence => ({
      page: 'x.md',
      line: 1,
      info: info.split(' '),
      body,
    });
    const faults = faultsIn(
      [
        sample('json config', '{"limit": {}}'),
        sample('json task', '{"args": {}}'),
        sample('json', '{'),
      ],
      checkJson,
    );

    expect(faults).toHaveLength(3);
  });
});

/** Words as a shell makes them; `<name>` stands for a word. */
function wordsOf(line: string): readonly string[] {
  const words = line.replaceAll('--client <name>', '--client cursor').match(WORD) ?? [];
  return words.map((word) => word.replaceAll(/^["']|["']$/g, ''));
}

const WORD = /"[^"]*"|'[^']*'|<[^>]*>|[^\s"'<]+/g;

const allCommands = (one: Command): Command[] => [one, ...one.commands.flatMap(allCommands)];

const pathOf = (one: Command): string =>
  one.parent ? `${pathOf(one.parent)} ${one.name()}` : one.name();
const names = new Set(allCommands(await Promise.resolve(createProgram(ALL_COMMANDS))).map(pathOf));

/** Parses as the real program does, and runs no command. Rejects with what the parser says. */
async function parseCommand(line: string): Promise<void> {
  const program = await Promise.resolve(createProgram(ALL_COMMANDS));
  for (const command of allCommands(program)) {
    command.exitOverride((error) => {
      throw error;
    });
    command.configureOutput({ writeErr: () => {}, writeOut: () => {} });
    if (command !== program) command.action(() => {});
  }
  await program.parseAsync(wordsOf(line).slice(1), { from: 'user' });
}

async function refusedCommands(lines: readonly string[]): Promise<readonly string[]> {
  const refused: string[] = [];
  for (const line of lines) {
    await parseCommand(line).catch((error: unknown) =>
      refused.push(`${line}: ${messageOf(error)}`),
    );
  }
  return refused;
}

describe('command lines of the documentation', () => {
  const inSamples = inLanguage('sh', 'console').flatMap(({ body }) =>
    body.split('\n').map((line) => line.replace(/^\$ /, '').replace(/\s+#.*$/, '')),
  );
  const inProse = pages
    .filter(({ path }) => path !== 'CHANGELOG.md' && !path.startsWith('docs/decisions/'))
    .flatMap((page) => [...withoutGenerated(withoutFences(page)).matchAll(/`(pml [^`]+)`/g)])
    .map(([, line = '']) => line)
    // Usage with choices, and texts that only name a command.
    .filter((line) => !/[[\]|…]|<command>/.test(line) && !names.has(line));
  const lines = [...new Set([...inSamples, ...inProse])].filter((line) => line.startsWith('pml '));

  // covers: DOCS-SAMPLES
  test('every pml command line in the documentation parses with the real parser', async () => {
    expect(lines.length).toBeGreaterThan(30);
    expect(await refusedCommands(lines)).toEqual([]);
  });

  test('the check of command lines refuses unknown commands, options and missing arguments', async () => {
    const wrong = ['pml nothing', 'pml status --nothing', 'pml show', 'pml continue x guess'];

    expect(await refusedCommands(wrong)).toHaveLength(wrong.length);
  });

  test('every npm script that the documentation names exists', async () => {
    const { default: manifest } = await import('../package.json', { with: { type: 'json' } });
    const text = pages.map((page) => page.text).join('\n');
    const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);

    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !(name in manifest.scripts))).toEqual([]);
  });
});

describe('TypeScript samples of the documentation', () => {
  const scripts = inLanguage('ts', 'js', 'typescript');

  // covers: DOCS-SAMPLES
  test('every script runs in the real sandbox', async () => {
    await using sandbox = createSandbox({ log: silentLogger });
    const failed: string[] = [];
    for (const script of scripts) {
      const host = new RecordingHost(answerSample);
      const { source } = prepareCode(parseCode(script.body));
      const end = await runScript(sandbox, source, { host, args: { today: '2026-06-01' } });
      if (end.status !== 'returned' || host.calls.length === 0)
        failed.push(`${placeOf(script)}: ${JSON.stringify(end)}`);
    }

    expect(scripts.length).toBeGreaterThan(2);
    expect(failed).toEqual([]);
  });

  test('the script in the README is the one that the bench `sample` measures', () => {
    const [shown] = scripts.filter(({ info }) => info[1] === 'sample');

    expect(shown?.body).toBe(SAMPLE_CODE);
  });
});
