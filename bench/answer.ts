/**
 * Answers questions of a data set, for somebody else to score:
 * `answer TASK --tools T.jsonl [--memory M.jsonl] [--traces R.jsonl] --questions Q.jsonl --out O.jsonl`
 */
import { writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

import * as z from 'zod';

import { bindingMemory, flowEdges, plannableTools } from './data/flow-answers.js';
import type { BenchOptions } from './data/options.js';
import { readyDiscovery, vectorStore } from './data/ready-discovery.js';
import { parseRows, readRows } from './data/rows.js';
import { readToolSet, type ToolSet } from './data/tool-set.js';
import { createReport, median, quantile, type Report } from './report.js';

const TASKS = ['discover', 'flow'];
const RANKED = 50;

/** Nothing else of a question is read. */
const Question = z.object({ id: z.coerce.string(), query: z.string() });
const FlowQuestion = z.object({ id: z.coerce.string(), tools: z.array(z.string()) });

export async function run({ positionals, values }: BenchOptions): Promise<Report> {
  const task = positionals[1] ?? '';
  const { tools, questions, out } = values;
  if (!TASKS.includes(task) || !tools || !questions || !out) {
    const usage =
      '--tools T.jsonl [--memory M.jsonl] [--traces R.jsonl] --questions Q.jsonl --out O.jsonl [--data DIR]';
    throw new Error(`usage: npm run bench -- answer ${TASKS.join('|')} ${usage}`);
  }
  const say = (text: string) => void process.stderr.write(`${text}\n`);
  const memory = [values['memory'], values['traces']].flatMap((path) => path ?? []);
  const toolSet = readToolSet(tools);
  if (task === 'flow') return answerFlow({ toolSet, memory, questions, out });
  await using store = await vectorStore(values['data']);
  const began = performance.now();
  await using ready = await readyDiscovery({
    store,
    tools: toolSet,
    memory: memory.flatMap((path) => readRows(path)),
    say,
  });
  const prepared = performance.now() - began;
  const { discovery, remembered } = ready;
  const { kind } = discovery.status.ranking;
  say(`${toolSet.tools.size} tools, ${remembered} requests remembered, ranking: ${kind}`);
  const times: number[] = [];
  const lines: string[] = [];
  for (const { id, query } of parseRows(questions, Question)) {
    const start = performance.now();
    const { tools: found } = await discovery.rank(query, { shown: RANKED });
    times.push(performance.now() - start);
    const ranked = found.slice(0, RANKED).map(({ tool }) => toolSet.nameOf.get(tool.id));
    lines.push(JSON.stringify({ id, ranked }));
  }
  writeFileSync(out, lines.map((line) => `${line}\n`).join(''));
  return createReport(`answer ${task}`, [
    { name: 'questions', value: times.length, unit: '' },
    { name: 'requests remembered', value: remembered, unit: '' },
    { name: 'time to index, remember and learn', value: prepared / 1_000, unit: 's' },
    {
      name: 'answer, with embedding the question',
      value: median(times),
      unit: 'ms',
      n: times.length,
    },
    { name: 'answer, 95th percentile', value: quantile(times, 0.95), unit: 'ms', n: times.length },
  ]);
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
