/** Plays the session of `pml demo` in a temporary folder, which is gone afterwards with all it started. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { isJsonObject, type JsonValue, PmlError } from '../../core/index.js';
import { askControl } from '../daemon/ask-control.js';
import { stopDaemon } from '../serve/stop.js';
import { asModelSees, tokenCounter } from '../tools/count-tokens.js';
import { DemoClient } from './demo-client.js';
import { type DemoCall, type DemoStep, FIRST_STEPS, LAST_STEP, laterSteps } from './demo-script.js';
import { SAMPLE_SERVERS } from './sample-tools.js';

const LOOK_AGAIN_MS = 50;
const PATIENCE_MS = 120_000;
const CLI = fileURLToPath(new URL('../../cli.js', import.meta.url));

export interface DemoCost {
  readonly tokens: number;
  readonly roundTrips: number;
}

export interface DemoStepReport {
  readonly title: string;
  readonly call: DemoCall;
  /** As the agent sees it; ids that differ from run to run are written as `…`. */
  readonly answer: string;
  readonly cost: DemoCost;
  readonly direct: DemoCost;
}

export interface DemoReport {
  readonly servers: number;
  readonly tools: number;
  /** Tokens of the tool definitions in the agent's context, before any call. */
  readonly menu: { readonly pml: number; readonly direct: number };
  readonly steps: readonly DemoStepReport[];
  readonly total: { readonly pml: DemoCost; readonly direct: DemoCost };
}

type CountTokens = (value: unknown) => number;

export async function runDemo(): Promise<DemoReport> {
  const folder = await mkdtemp(join(tmpdir(), 'pml-demo-'));
  try {
    return await playIn(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function playIn(folder: string): Promise<DemoReport> {
  const config = join(folder, 'pml.json');
  const dataDir = join(folder, 'data');
  const command = process.execPath;
  const mcpServers = Object.fromEntries(
    Object.keys(SAMPLE_SERVERS).map((name) => [
      name,
      { command, args: [CLI, 'demo', '--server', name] },
    ]),
  );
  await writeFile(config, JSON.stringify({ speculation: 'off', mcpServers }));
  const env = { ...process.env, HOME: folder };
  await using client = new DemoClient(
    [CLI, 'serve', '--config', config, '--data-dir', dataDir],
    env,
  );
  try {
    await client.connect();
    return await play(client, dataDir);
  } finally {
    await stopDaemon({ config, dataDir });
  }
}

async function play(client: DemoClient, dataDir: string): Promise<DemoReport> {
  const count = await tokenCounter();
  const { tools } = await client.request('tools/list', {});
  const offered = Array.isArray(tools) ? tools.filter(isJsonObject) : [];
  const own = Object.values(SAMPLE_SERVERS).flat();
  await untilIndexed(dataDir, own.length);
  const steps: DemoStepReport[] = [];
  const playAll = async (all: readonly DemoStep[]) => {
    for (const step of all) {
      await untilRead(dataDir, step);
      steps.push(await playStep(client, step, count));
    }
  };
  await playAll(FIRST_STEPS);
  const capability = await untilLearned(dataDir);
  await untilIndexed(dataDir, own.length + 1);
  await untilRemembered(dataDir, FIRST_STEPS);
  await playAll(laterSteps(capability));
  await untilRemembered(dataDir, [...FIRST_STEPS, ...laterSteps(capability)]);
  await playAll([LAST_STEP]);
  const menu = {
    pml: count(offered.map(asModelSees)),
    direct: count(own.map((tool) => asModelSees({ ...tool }))),
  };
  return {
    servers: Object.keys(SAMPLE_SERVERS).length,
    tools: own.length,
    menu,
    steps,
    total: {
      pml: sum(steps.map(({ cost }) => cost)),
      direct: sum(steps.map(({ direct }) => direct)),
    },
  };
}

async function playStep(
  client: DemoClient,
  step: DemoStep,
  count: CountTokens,
): Promise<DemoStepReport> {
  const { tool, args } = step.call;
  const result = await client.request('tools/call', { name: tool, arguments: args });
  const answer = textOf(result['content']);
  if (result['isError'] === true) throw new PmlError('BAD_REQUEST', `${tool}: ${answer}`);
  return {
    title: step.title,
    call: step.call,
    answer: withoutIds(answer),
    cost: { tokens: count(args) + count(withSampleIds(answer)), roundTrips: 1 },
    direct: {
      tokens: step.direct.reduce((all, call) => all + directTokens(call, count), 0),
      roundTrips: step.direct.length,
    },
  };
}

/** What the call itself, and its whole result, take in the context of an agent. */
function directTokens({ tool, args }: DemoCall, count: CountTokens): number {
  const [server = '', name] = tool.split(':');
  const found = SAMPLE_SERVERS[server]?.find((one) => one.name === name);
  if (!found) throw new PmlError('BAD_REQUEST', `There is no sample tool ${tool}`);
  return count(args) + count(found.run(args));
}

function textOf(content: JsonValue | undefined): string {
  if (!Array.isArray(content)) return '';
  const texts = content.map((part) => (isJsonObject(part) ? part['text'] : undefined));
  return texts.filter((text) => typeof text === 'string').join('\n');
}

const IDS = /\b(run|plan|r|p)_[\w-]{8,}/g;
const DURATIONS = /\b\d+(\.\d+)? ?ms\b/g;
/** Random letters take more tokens than a word of their length, and each id takes others. */
const SAMPLE_ID = '01k3v9zq7m2xh8wtd5pcr4nbye6sgjf0a';

/** Ids and durations differ from run to run, and tell the reader nothing. */
function withoutIds(text: string): string {
  return text.replaceAll(IDS, '$1_…').replaceAll(DURATIONS, '… ms');
}

/** Of the same length, so that the tokens of an answer are the same every time. */
function withSampleIds(text: string): string {
  const sample = (id: string, kind: string) => id.slice(0, kind.length + 1) + SAMPLE_ID;
  return text
    .replaceAll(IDS, (id, kind: string) => sample(id, kind).slice(0, id.length))
    .replaceAll(DURATIONS, '10 ms');
}

function sum(costs: readonly DemoCost[]): DemoCost {
  return {
    tokens: costs.reduce((all, { tokens }) => all + tokens, 0),
    roundTrips: costs.reduce((all, { roundTrips }) => all + roundTrips, 0),
  };
}

/** Asks until there is an answer. */
async function until<Found>(what: string, look: () => Promise<Found | undefined>): Promise<Found> {
  const limit = AbortSignal.timeout(PATIENCE_MS);
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (limit.aborted) throw new PmlError('BAD_REQUEST', `The demo waited too long for ${what}`);
    await delay(LOOK_AGAIN_MS);
  }
}

async function untilIndexed(dataDir: string, least: number): Promise<void> {
  await askControl(dataDir, 'index', { start: true });
  await until('the index of tools', async () => {
    const search = await askControl(dataDir, 'index', {});
    if (search?.error !== undefined || search?.state === 'failed') return true;
    // A search before the model is loaded ranks by words alone.
    const isReady = search?.state === 'ready' && search.waiting === 0;
    return isReady && search.tools >= least && search.indexed >= search.tools ? true : undefined;
  });
}

/**
 * On a busy machine a search answers before the model has read the request, and ranks by words. The model
 * reads it all the same, so the search after that ranks by meaning.
 */
async function untilRead(dataDir: string, { call: { tool, args } }: DemoStep): Promise<void> {
  const { intent } = args;
  if (tool !== 'pml_discover' || typeof intent !== 'string') return;
  await askControl(dataDir, 'search', { intent });
  await untilIndexed(dataDir, 0);
}

async function untilLearned(dataDir: string): Promise<string> {
  return until('a capability', async () => {
    const answer = await askControl(dataDir, 'capabilities', {});
    return answer?.capabilities[0]?.name;
  });
}

/** Requests are remembered and learned from after their answers. */
async function untilRemembered(dataDir: string, steps: readonly DemoStep[]): Promise<void> {
  const runs = steps.filter(({ call }) => call.tool !== 'pml_discover').length;
  await until('what runs teach', async () => {
    const status = await askControl(dataDir, 'status', {});
    const isDone = status && !status.isLearning && status.search.remembered >= runs;
    return isDone ? true : undefined;
  });
}
