/** Programs that are killed, or refused by the system, at a chosen call of the system. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const canTrace = spawnSync('strace', ['-f', '-qq', '-o', '/dev/null', 'true']).status === 0;

/**
 * What to put before a command: `inject` is a fault as strace knows it. The faster `--seccomp-bpf` is
 * left out: with it, strace 6.1 does not kill.
 */
export function tracing(
  calls: readonly string[],
  inject?: string,
  output = '/dev/null',
): readonly string[] {
  const what = ['-e', `trace=${calls.join(',')}`, ...(inject ? ['-e', inject] : [])];
  return ['strace', '-f', '-qq', '-o', output, ...what];
}

/** How often a program makes each of the calls; `run` is to run it under the command it is given. */
export async function countCalls(
  calls: readonly string[],
  run: (under: readonly string[], folder: string) => Promise<unknown>,
): Promise<ReadonlyMap<string, number>> {
  await using folder = await memoryFolder();
  const trace = join(folder.path, 'trace');
  await run(tracing(calls, undefined, trace), folder.path);
  const counts = new Map<string, number>();
  for (const [, call = ''] of (await readFile(trace, 'utf8')).matchAll(/^\d+ +(\w+)\(/gm)) {
    counts.set(call, (counts.get(call) ?? 0) + 1);
  }
  return counts;
}

/** Every so many-th of a number of calls, from the first. */
export function places(count: number, step: number): readonly number[] {
  return Array.from({ length: Math.ceil(count / step) }, (_, at) => 1 + at * step);
}

export async function eachOf<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of rest) await work(item);
    }),
  );
}

/** In memory where there is such a place: which calls were made counts here, not what they take. */
export async function memoryFolder(): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'pml-test-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
