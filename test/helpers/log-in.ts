import { createInterface } from 'node:readline';

import { signInAsPerson } from './oauth-world.js';
import type { Workspace } from './workspace.js';

/** Runs `pml auth login notes`, and does what a person does with the address that it prints. */
export async function login(
  workspace: Workspace,
  person: (address: string, type: (line: string) => void) => Promise<unknown> = (address) =>
    signInAsPerson(address),
  flags: readonly string[] = ['--no-browser'],
): Promise<{ code: number | null; output: string }> {
  const child = workspace.start('auth', 'login', 'notes', ...flags);
  let output = '';
  let isSent = false;
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  createInterface({ input: child.stdout }).on('line', (line) => {
    output += `${line}\n`;
    const address = /^\s+(https?:\S+)$/.exec(line)?.[1];
    if (address === undefined || isSent) return;
    isSent = true;
    person(address, (typed) => child.stdin.write(`${typed}\n`)).catch((error: unknown) => {
      output += String(error);
      child.kill();
    });
  });
  return { code: await ended, output };
}
