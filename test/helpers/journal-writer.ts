import { execFile, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { type RunEvent, runId } from '../../src/core/index.js';
import { isCheckpoint, WRITTEN_RUNS } from '../fixtures/journal/events.js';
import { openAt } from './journal.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The minimal compiler options that leave the code unchanged. */
const COMPILE =
  '--ignoreConfig --noCheck --rootDir . --types node --module NodeNext --target ES2022 --lib ES2023,ESNext.Disposable'.split(
    ' ',
  );

export interface WriterOptions {
  readonly rounds: number;
  readonly first?: number;
  /** A program to run it under, with its arguments. */
  readonly under?: readonly string[];
  /** Kill the writer after this many lines of output. */
  readonly killAfter?: number;
}

/** Compiles a script of `fixtures/journal` to plain JavaScript, which starts many times faster. */
export async function compileScript(name: string, directory: string): Promise<string> {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const source = `test/fixtures/journal/${name}`;
  const args = [compiler, ...COMPILE, '--outDir', directory, `${source}.ts`];
  await promisify(execFile)(process.execPath, args, { cwd: ROOT });
  await writeFile(join(directory, 'package.json'), '{"type":"module"}');
  return join(directory, `${source}.js`);
}

/** Runs the compiled `writer` until it exits or is killed; returns its output. */
export async function runWriter(
  script: string,
  directory: string,
  { rounds, first = 1, under = [], killAfter = Infinity }: WriterOptions,
): Promise<readonly string[]> {
  const command = [...under, process.execPath, script, directory, String(rounds), String(first)];
  const child = spawn(command[0]!, command.slice(1), {
    stdio: ['ignore', 'pipe', 'inherit'],
    // One thread for files keeps their calls in the same order in every run.
    env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
  });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (lines.push(line) === killAfter) child.kill('SIGKILL');
  }
  return lines;
}

/** All errors of a journal, given its writers' output; the last writer began at `first`. */
export async function findFaults(
  directory: string,
  said: readonly string[],
  first = 0,
): Promise<readonly string[]> {
  await using log = await openAt(directory, { markPath: `${directory}.mark` });
  const faults = log.damaged().map(({ run, place }) => `${run} is damaged: ${place}`);
  // Neither a kill nor a full disk may look like deleted records.
  faults.push(...log.problems());
  // Each killed process may have written one unreported record per run.
  const most = Math.max(first, ...said.map((line) => Number(line.split(' ')[2] ?? 0))) + 2;
  for (const name of WRITTEN_RUNS) {
    const of = (word: string) =>
      said
        .map((line) => line.split(' '))
        .filter(([first, run]) => first === word && run === name)
        .map(([, , number]) => Number(number));
    const events = await log.read(runId(name));
    const begins = (number: number) => number === 0 || isCheckpoint(name, number);
    const answers = { acknowledged: of('ack'), refused: of('nack'), begins, most };
    faults.push(...compare(events, answers).map((fault) => `${name}: ${fault}`));
  }
  return faults;
}

interface Answers {
  readonly acknowledged: readonly number[];
  readonly refused: readonly number[];
  /** Whether this record replaces all records with lower numbers. */
  readonly begins: (number: number) => boolean;
  /** The highest number a writer can have requested. */
  readonly most: number;
}

function compare(
  events: readonly RunEvent[],
  { acknowledged, refused, begins, most }: Answers,
): readonly string[] {
  const numbers = events.map(numberOf);
  const begin = numbers[0] ?? 0;
  const lastFold = acknowledged.findLast(begins) ?? 0;
  const faults = {
    'out of order or twice': numbers.filter((number, at) => at > 0 && number <= numbers[at - 1]!),
    'acknowledged and lost': acknowledged.filter(
      (number) => number >= begin && !numbers.includes(number),
    ),
    'replaced and there': numbers.filter((number) => number < lastFold),
    'no beginning': numbers.slice(0, 1).filter((number) => !begins(number)),
    'refused and there': refused.filter((number) => numbers.includes(number)),
    'never asked for': numbers.filter((number) => number > most),
  };
  return Object.entries(faults).flatMap(([fault, which]) =>
    which.length > 0 ? [`${fault}: ${which.join()} of ${numbers.join()}`] : [],
  );
}

function numberOf(event: RunEvent): number {
  if (event.type === 'message-added') return Number(event.text);
  if (event.type === 'run-checkpoint') return Number(event.state.context['number']);
  return 0;
}
