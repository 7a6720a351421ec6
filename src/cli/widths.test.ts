/** Every command that prints a table or sentences, on terminals of several widths. */
import { stripVTControlCharacters } from 'node:util';

import type { Command } from 'commander';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import { catalogTool } from '../../test/helpers/catalog-tool.js';
import { runDetails, taskInfo } from '../../test/helpers/run-details.js';
import { searchStatus } from '../../test/helpers/search-status.js';
import type { CapabilityRow, DaemonStatus, ListedTool, RankingMetrics } from '../control/index.js';
import type { ToolId } from '../core/index.js';
import { ALL_COMMANDS } from './all-commands.js';
import { describeCapabilityTable } from './capabilities/describe-table.js';
import { describeFindings } from './doctor/doctor.js';
import { fail, ok } from './doctor/finding.js';
import { describeExecution } from './learned/explain-describe-run.js';
import { describePlanExplanation } from './learned/explain-describe.js';
import { describeGraph } from './learned/graph-describe.js';
import { describeRankingMetrics } from './learned/metrics-describe.js';
import { screenColumns } from './print/columns.js';
import { fitLines } from './print/page.js';
import { createProgram } from './program.js';
import { describePlan } from './runs/describe-plan.js';
import { describeRunResults } from './runs/describe-results.js';
import { describeRunTable } from './runs/describe-table.js';
import { describeEffects } from './runs/run-script.js';
import { describeWhole } from './runs/show.js';
import { describeStatus } from './serve/status.js';
import { describeTool, describeToolOptions } from './tools/describe-tool.js';
import { describeAnswer } from './tools/search.js';
import { describeMeter } from './tools/token-meter.js';
import { describeTools } from './tools/tools.js';

const LONG =
  'Answers after a number of milliseconds, for tests of waiting and of giving up, more or less';
const TOOL = 'filesystem:search_files_content';
const INTENT = 'copy the report of last week to the wiki and tell everybody about it';
const ISO = '2026-11-02T08:00:00.000Z';

const tool = (id: string): ListedTool => ({
  ...catalogTool(id, LONG, { path: LONG, excludePatterns: LONG }),
  firstSeen: ISO,
  lastSeen: ISO,
  visible: false,
});

const TASKS = [
  taskInfo('find_everything', { tool: TOOL, result: `${LONG} `.repeat(3) }),
  taskInfo('save', { tool: TOOL, status: 'failed', needs: ['find_everything'], layer: 1 }),
];
const RUN = runDetails(TASKS, { run: 'run_abcdefghijklmnopqrstuv', intent: INTENT });

const STATUS: DaemonStatus = {
  pid: 7,
  version: '1.0.0',
  uptimeMs: 0,
  rssBytes: 0,
  config: '/home/u/.pml/pml.json',
  dataDir: '/home/u/.pml',
  exposure: 'meta',
  rejectedConfig: { at: ISO, code: 'CONFIG_INVALID', message: `pml.json:3:5: ${LONG}` },
  clients: [],
  store: {
    engine: 'PGlite',
    version: '1',
    schemaVersion: 1,
    failing: [{ what: 'catalog.save', error: LONG, at: ISO, times: 3 }],
  },
  search: searchStatus({}),
  sandbox: { nodePermissions: true, nodeNetwork: false, bubblewrap: false, isWatched: true },
  servers: [
    {
      name: 'filesystem',
      kind: 'stdio',
      state: 'failing',
      pids: [],
      runningCalls: 2,
      lastError: LONG,
      retryInMs: 0,
      tools: 14,
      listed: true,
      use: { calls: 1_234, failures: 5, medianMs: 17, lastAt: ISO },
    },
  ],
  broken: { github: `GITHUB_TOKEN is not set; ${LONG}` },
  disabled: ['slack'],
};

const CAPABILITY: CapabilityRow = {
  name: 'publishReportOfTheWeek',
  status: 'active',
  isPinned: true,
  isOffered: true,
  uses: 1_200,
  successes: 1_100,
  reliability: 0.9,
  version: 12,
  description: LONG,
};

const quality = { decisions: 30, hitAt1: 0.5, hitAt3: 0.75, mrr: 0.625, worked: 1, isEnough: true };
const METRICS: RankingMetrics = {
  last: 1_000,
  decisions: 30,
  enough: 20,
  algorithms: [
    {
      ...quality,
      algorithm: 'discover',
      models: [{ ...quality, model: 'cold', signals: LONG.split(' ') }],
    },
  ],
};

const SIGNALS = [
  { signal: 'needMeaning', value: 1, weight: 2, share: 2 },
  { signal: 'reliability', value: -1, weight: 1, share: -1 },
];

const ANSWER = {
  intent: INTENT,
  byMeaning: false,
  isWeak: true,
  search: searchStatus({ state: 'loading' }),
  unlisted: ['github', 'slack', 'memory'],
  hits: [
    {
      tool: TOOL,
      server: 'filesystem',
      score: 0.5,
      description: LONG,
      words: [{ word: 'report', field: 'description' }],
      reasons: [],
      signals: SIGNALS,
    },
  ],
};

const PLAN = {
  layers: [['find']],
  tasks: [{ id: 'find', tool: TOOL, args: { text: LONG }, needs: [] }],
  filled: [`find.text ← ${LONG}`],
  bindings: [],
  holes: [{ task: 'find', param: 'path', type: 'string', hint: LONG }],
  approvals: [{ task: 'find', tool: TOOL, because: LONG }],
};

/** By the command that prints them. */
const RENDERED: Readonly<Record<string, () => readonly string[]>> = {
  status: () => describeStatus(STATUS),
  tools: () => [describeTools([tool(TOOL), tool('memory:read_graph')])],
  'tools show': () => describeTool(tool(TOOL)),
  'tools --tokens': () => [
    describeMeter({
      servers: [],
      tools: 40,
      downstreamTokens: 12_000,
      exposedTokens: 400,
      savedTokens: 11_600,
      budget: {
        totalTokens: 200_000,
        budgetTokens: 10_000,
        usedTokens: 400,
        availableTokens: 9_600,
      },
    }),
  ],
  'call --help': () => describeToolOptions(tool(TOOL)),
  search: () =>
    describeAnswer(ANSWER, { all: true, why: true, verbose: true, columns: screenColumns() }),
  run: () => describeRunResults(RUN),
  'run --dry-run': () => describePlan(PLAN),
  'run script.ts --dry-run': () =>
    describeEffects({ tools: [{ tool: TOOL, risk: 'write', asks: LONG }], note: LONG }),
  runs: () =>
    describeRunTable([RUN, runDetails(TASKS, { about: `const x = '${LONG}'` })], screenColumns()),
  show: () => describeWhole(RUN, screenColumns()),
  capabilities: () => describeCapabilityTable([CAPABILITY], screenColumns()),
  'explain <intent>': () =>
    describePlanExplanation(
      {
        intent: INTENT,
        mode: 'suggestion',
        confidence: 0.6,
        toolConfidence: 0.8,
        threshold: 0.7,
        isReady: false,
        model: 'plan-default',
        byMeaning: false,
        tasks: [
          {
            id: 'find',
            tool: TOOL,
            layer: 0,
            needs: [],
            score: 0.9,
            signals: SIGNALS,
            args: [{ param: 'text', value: LONG, score: 0.9, because: LONG }],
            holes: [{ param: 'path', type: 'string', hint: LONG }],
          },
        ],
        direct: [{ from: TOOL, to: TOOL, score: 0.95, flowed: 3, together: 4 }],
        transitive: [],
        pageRank: [],
        runs: [{ id: RUN.run, at: ISO, intent: INTENT, share: 0.4, ok: true }],
        alternatives: [{ tool: TOOL, score: 0.31 }],
        capabilities: [],
        against: [{ tool: TOOL, isInPlan: true, because: LONG, share: -1.2 }],
      },
      true,
    ),
  'explain <run>': () =>
    describeExecution({
      id: RUN.run,
      intent: INTENT,
      at: ISO,
      ok: true,
      from: [],
      calls: [{ tool: TOOL, ok: true, ms: 12, depth: 0, args: { text: LONG } }],
      flows: [],
      edges: [
        {
          from: TOOL,
          to: TOOL,
          type: 'provides',
          worked: true,
          weight: 0.5,
          observed: 3,
          failed: 1,
          isLeftOut: true,
        },
      ],
      similar: [
        { id: RUN.run, at: ISO, intent: INTENT, ok: true, share: 0.6, tools: [TOOL, TOOL] },
      ],
      next: [{ tool: TOOL as ToolId, probability: 0.6, args: { text: LONG }, missing: ['path'] }],
    }),
  'metrics ranking': () => describeRankingMetrics(METRICS),
  graph: () =>
    describeGraph({
      nodes: { tool: 1_200, operation: 0, capability: 2, meta: 1 },
      edges: [{ type: 'sequence', source: 'observed', count: 3_400 }],
      refused: 3,
      communities: 7,
      density: 0.012,
      central: [{ id: TOOL as ToolId, importance: 1, calls: 5_000, failures: 3, community: 4 }],
      isStored: false,
    }),
  doctor: () => describeFindings([ok('node', 'v20'), fail('server filesystem', LONG, LONG)]),
};

/** One word that is longer than the line stays whole: a path can be copied. */
const tooLong = (line: string, columns: number) =>
  line.length > columns && line.trim().split(' ').length > 1;

// covers: CLI-WIDTHS
describe.each([60, 80, 120])('on a terminal of %i columns', (columns) => {
  afterEach(() => vi.unstubAllEnvs());

  test.each(Object.keys(RENDERED))('pml %s breaks no word and fits', (name) => {
    vi.stubEnv('COLUMNS', String(columns));

    const lines = fitLines(RENDERED[name]!(), columns).map((line) =>
      stripVTControlCharacters(line),
    );

    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((line) => tooLong(line, columns))).toEqual([]);
  });
});

/** All that `--help` prints on a terminal, with exit codes and examples. */
function printedHelp(command: Command, columns: number): string {
  const { columns: before } = process.stdout;
  process.stdout.columns = columns;
  let text = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += String(chunk);
    return true;
  });
  try {
    command.configureHelp({ ...command.configureHelp(), helpWidth: columns }).outputHelp();
  } finally {
    write.mockRestore();
    process.stdout.columns = before;
  }
  return text;
}

describe('the help of every command', () => {
  let program: Command;
  beforeAll(async () => {
    program = await createProgram(ALL_COMMANDS);
  });

  test.each([60, 80, 120])('fits into %i columns', (columns) => {
    const helps = program.commands
      .flatMap((one) => [one, ...one.commands])
      .map((one) => printedHelp(one, columns));
    const wide = helps.flatMap((text) => text.split('\n')).filter((line) => tooLong(line, columns));

    expect(helps.length).toBeGreaterThan(45);
    expect(wide).toEqual([]);
  });
});
