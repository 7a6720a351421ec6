import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Starts a TypeScript file below `test/fixtures` as a process that can be talked to; killed when disposed. */
export function forkScript(
  file: string,
  args: readonly string[],
): { readonly child: ChildProcess } & AsyncDisposable {
  const script = fileURLToPath(new URL(`../fixtures/${file}`, import.meta.url));
  const child = fork(script, [...args], { execArgv: ['--liftoff-only', '--import', 'tsx'] });
  return { child, [Symbol.asyncDispose]: () => killHard(child) };
}

/** `kill -9`, then waits until the process is gone. */
export async function killHard(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
