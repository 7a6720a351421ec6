import { createInterface } from 'node:readline';

import type { ControlResult } from '../../control/index.js';
import { PmlError } from '../../core/errors.js';
import { ask, askStarted, type DaemonFlags } from '../daemon/ask.js';
import { print, printJson } from '../print/print.js';
import { openBrowser } from '../serve/open-browser.js';

interface LoginFlags extends DaemonFlags {
  readonly browser: boolean;
  readonly device?: boolean;
}

type Begun = ControlResult<'sign-in-begin'>;
type Progress = ControlResult<'sign-in-wait'>;

/** Stays until the person has signed in, or cannot any more. */
export async function login(server: string, flags: LoginFlags): Promise<void> {
  const device = flags.device === true;
  const { answer: begun } = await askStarted(flags, 'sign-in-begin', { server, device });
  if (flags.json) printJson({ url: begun.url, ...(begun.code && { code: begun.code }) });
  else await tellAddress(begun, flags);
  const outcome = await waitForPerson(begun, flags);
  if (outcome.status === 'failed') throw new PmlError('SIGN_IN_FAILED', outcome.error);
  if (flags.json) printJson({ server, status: outcome.status });
  else print(`PML is signed in to ${server}.`);
}

async function tellAddress({ url, code }: Begun, { browser }: LoginFlags): Promise<void> {
  if (code !== undefined) {
    print(`Open this address on any device:\n\n  ${url}\n\nand type the code ${code}`);
    return;
  }
  if (browser && (await openBrowser(url))) {
    print('Sign in in the browser that has just opened. If none has, open this address:');
  } else print('Open this address in a browser and sign in:');
  print(`\n  ${url}\n`);
  print('If the browser cannot return to this machine, paste here the address that it shows then.');
}

/** The browser returns to the daemon, or the person pastes the address it was sent to. */
async function waitForPerson(begun: Begun, flags: LoginFlags): Promise<Progress> {
  const pasted = begun.code === undefined ? pastedLines() : undefined;
  try {
    const waiting = waitForDaemon(begun, flags);
    if (!pasted) return await waiting;
    for (;;) {
      const first = await Promise.race([waiting, pasted.next()]);
      if (typeof first !== 'string') return first;
      const progress = await paste(begun, first, flags);
      if (progress) return progress;
    }
  } finally {
    pasted?.close();
  }
}

async function waitForDaemon({ id }: Begun, flags: LoginFlags): Promise<Progress> {
  for (;;) {
    const { answer } = await ask(flags, 'sign-in-wait', { id });
    if (!answer) throw new PmlError('DAEMON_UNREACHABLE', 'The daemon ended; sign in again');
    if (answer.status !== 'waiting') return answer;
  }
}

/** Undefined if the address is not of this sign-in: the person may paste another one. */
async function paste(
  { id }: Begun,
  line: string,
  flags: LoginFlags,
): Promise<Progress | undefined> {
  try {
    const { answer } = await ask(flags, 'sign-in-paste', { id, redirected: line });
    return answer;
  } catch (error) {
    if (!(error instanceof PmlError) || error.code !== 'BAD_REQUEST') throw error;
    print(error.message);
    return undefined;
  }
}

/** Lines of standard input, without keeping the process alive for them. */
function pastedLines() {
  const lines = createInterface({ input: process.stdin });
  const waiting: ((line: string) => void)[] = [];
  const early: string[] = [];
  lines.on('line', (line) => {
    if (line.trim() === '') return;
    const next = waiting.shift();
    if (next) next(line);
    else early.push(line);
  });
  return {
    next: () => {
      const line = early.shift();
      if (line !== undefined) return Promise.resolve(line);
      return new Promise<string>((resolve) => waiting.push(resolve));
    },
    close: () => {
      lines.close();
      process.stdin.unref?.();
    },
  };
}
