/**
 * Answers the questions of a data set, for an external scorer:
 * `answer TASK --tools T.jsonl [--memory M.jsonl] [--traces R.jsonl] [--calls C.jsonl] --questions Q.jsonl --out O.jsonl`
 */
import { writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

import * as z from 'zod';

import type { Discovery } from '../src/discovery/index.js';
import type { Suggester } from '../src/suggest/index.js';
import { callAnswer, readyPredictor } from './data/call-answers.js';
import { bindingMemory, flowEdges, plannableTools } from './data/flow-answers.js';
import type { BenchOptions } from './data/options.js';
import { nextAnswer, NextQuestion, planAnswer, Question } from './data/plan-answers.js';
import { embedQuestion, readyDiscovery, vectorStore } from './data/ready-discovery.js';
import { readySuggester } from './data/ready-suggester.js';
import { readMoments, readRecordedRuns } from './data/recorded-calls.js';
import { parseRows, readRows } from './data/rows.js';
import { readToolSet, type ToolSet } from './data/tool-set.js';
import { createReport, median, quantile, type Report } from './report.js';

const TASKS = ['discover', 'plan', 'next', 'flow', 'speculate'];
const RANKED = 50;

/** The benchmark reads no other field of a question. */
const FlowQuestion = z.object({ id: z.coerce.string(), tools: z.array(z.string()) });

export async function run({ positionals, values }: BenchOptions): Promise<Report> {
  const task = positionals[1] ?? '';
  const { tools, questions, out } = values;
  if (!TASKS.includes(task) || !tools || !questions || !out) {
    const usage =
      '--tools T.jsonl [--memory M.jsonl] [--traces R.jsonl] [--calls C.jsonl] --questions Q.jsonl --out O.jsonl [--data DIR]';
    throw new Error(`usage: npm run bench -- answer ${TASKS.join('|')} ${usage}`);
  }
  const say = (text: string) => void process.stderr.write(`${text}\n`);
  const memory = [values['memory'], values['traces']].flatMap((path) => path ?? []);
  const toolSet = readToolSet(tools);
  if (task === 'flow') return answerFlow({ toolSet, memory, questions, out });
  const rows = memory.flatMap((path) => readRows(path));
  await using store = await vectorStore(values['data']);
  const began = performance.now();
  await using ready = await readyDiscovery({
    store,
    tools: toolSet,
    memory: rows,
    say,
  });
  const prepared = performance.now() - began;
  const { discovery, remembered } = ready;
  const { kind } = discovery.status.ranking;
  say(`${toolSet.tools.size} tools, ${remembered} requests remembered, ranking: ${kind}`);
  const suggester = () => readySuggester({ discovery, toolSet, memory: rows });
  const answers =
    task === 'discover'
      ? await discoverAnswers(questions, discovery, toolSet)
      : task === 'speculate'
        ? await speculateAnswers(questions, values['calls'], {
            toolSet,
            discovery,
            suggester: await suggester(),
          })
        : await suggestAnswers(task, questions, {
            toolSet,
            discovery,
            suggester: await suggester(),
          });
  const { times, lines } = answers;
  writeFileSync(out, lines.map((line) => `${line}\n`).join(''));
  return createReport(`answer ${task}`, [
    { name: 'questions', value: times.length, unit: '' },
    { name: 'requests remembered', value: remembered, unit: '' },
    { name: 'time to index, remember and learn', value: prepared / 1_000, unit: 's' },
    {
      name: 'answer, without embedding the question',
      value: median(times),
      unit: 'ms',
      n: times.length,
    },
    { name: 'answer, 95th percentile', value: quantile(times, 0.95), unit: 'ms', n: times.length },
  ]);
}

interface Answers {
  readonly lines: readonly string[];
  readonly times: readonly number[];
}

async function discoverAnswers(
  questions: string,
  discovery: Discovery,
  toolSet: ToolSet,
): Promise<Answers> {
  return timed(parseRows(questions, Question), discovery, async ({ id, query }) => {
    const { tools: found } = await discovery.rank(query, { shown: RANKED });
    const ranked = found.slice(0, RANKED).map(({ tool }) => toolSet.nameOf.get(tool.id));
    return { id, ranked };
  });
}

interface Suggesting {
  readonly discovery: Discovery;
  readonly suggester: Suggester;
  readonly toolSet: ToolSet;
}

/** Whole plans, or what comes next, through the code that serves requests. */
async function suggestAnswers(
  task: string,
  questions: string,
  { discovery, suggester, toolSet }: Suggesting,
): Promise<Answers> {
  if (task === 'next') {
    return timed(parseRows(questions, NextQuestion), discovery, (question) =>
      nextAnswer(question, suggester, toolSet),
    );
  }
  return timed(parseRows(questions, Question), discovery, async ({ id, query }) => {
    const suggestion = await suggester.suggest(query);
    return { ...planAnswer(id, suggestion, toolSet), confidence: suggestion.confidence };
  });
}

/** Exact next calls, by the predictor as the daemon has it: it does not ask the next-step model. */
async function speculateAnswers(
  questions: string,
  calls: string | undefined,
  { discovery, toolSet }: Suggesting,
): Promise<Answers> {
  const predictor = readyPredictor({
    toolSet,
    sessions: calls ? readRecordedRuns(calls, toolSet) : [],
    ports: {},
  });
  const asked = readMoments(questions, toolSet).map((one) => {
    return { ...one, query: one.situation.intent };
  });
  return timed(asked, discovery, (one) => callAnswer(one, predictor, toolSet));
}

/** Answers must not depend on how busy the machine is. */
async function timed<Asked extends { readonly query: string }>(
  questions: readonly Asked[],
  discovery: Discovery,
  answer: (question: Asked) => Promise<object>,
): Promise<Answers> {
  const times: number[] = [];
  const lines: string[] = [];
  for (const question of questions) {
    await embedQuestion(discovery, question.query);
    const start = performance.now();
    const row = await answer(question);
    times.push(performance.now() - start);
    lines.push(JSON.stringify(row));
  }
  return { lines, times };
}

interface FlowFiles {
  readonly toolSet: ToolSet;
  readonly memory: readonly string[];
  readonly questions: string;
  readonly out: string;
}

/** Which tool passes values to which, through the inference that completes plans. */
function answerFlow({ toolSet, memory: paths, questions, out }: FlowFiles): Report {
  const began = performance.now();
  const rows = paths.flatMap((path) => readRows(path));
  const options = {
    toolSet,
    tools: plannableTools(toolSet),
    memory: bindingMemory(rows, toolSet),
  };
  const prepared = performance.now() - began;
  const times: number[] = [];
  const lines = parseRows(questions, FlowQuestion).map(({ id, tools }) => {
    const start = performance.now();
    const edges = flowEdges(tools, options);
    times.push(performance.now() - start);
    return `${JSON.stringify({ id, edges })}\n`;
  });
  writeFileSync(out, lines.join(''));
  return createReport('answer flow', [
    { name: 'questions', value: times.length, unit: '' },
    { name: 'executions remembered', value: rows.length, unit: '' },
    { name: 'time to read and remember', value: prepared, unit: 'ms' },
    { name: 'answer', value: median(times), unit: 'ms', n: times.length },
    { name: 'answer, 95th percentile', value: quantile(times, 0.95), unit: 'ms', n: times.length },
  ]);
}
