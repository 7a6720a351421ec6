import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { afterEach, expect, test } from 'vitest';

const started: ChildProcess[] = [];
afterEach(() => started.splice(0).forEach((child) => child.kill('SIGKILL')));

/** A program that embeds; `then` runs while its model is at work on many texts. */
function startProgram(then: string): ChildProcess {
  const module = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const program = `
    import { silentLogger } from ${module('../core/index.ts')};
    import { builtInModel } from ${module('./find-model.ts')};
    import { ProcessEmbedder } from ${module('./process-embedder.ts')};
    import { startModelProcess } from ${module('./start-model-process.ts')};
    let model;
    const embedder = new ProcessEmbedder({
      space: { id: 'gte-small/int8/1', dimension: 384 },
      source: { kind: 'bert', files: builtInModel(), runtime: 'auto' },
      logger: silentLogger,
      startProcess: (logger) => (model = startModelProcess(logger)),
    });
    const many = Array.from({ length: 300 }, (_, at) => 'tool number ' + at);
    await embedder.embed(['x']);
    console.log(model.pid);
    ${then}`;
  const child = spawn(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), '--input-type=module', '--eval', program],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  started.push(child);
  return child;
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('no output');
  for await (const line of createInterface(stdout)) return line;
  throw new Error('it ended without a word');
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // Gone, which is the question.
  }
}

test.each([
  ['nothing is left to do', ''],
  ['it exits while the model computes', 'void embedder.embed(many); process.exit();'],
])('a program with an embedder ends as it should when %s', async (_when, then) => {
  const program = startProgram(then);
  const ended = once(program, 'exit');

  const pid = Number(await firstLine(program));

  expect(await ended).toEqual([0, null]);
  await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
});

test('the process of the model ends when the program is killed', async () => {
  const program = startProgram('await embedder.embed(many);');

  const pid = Number(await firstLine(program));
  program.kill('SIGKILL');

  await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
});
