import { tableColumns } from './columns.js';
import { wrapLine } from './fit-text.js';

/** What `git` gives `less`: short output ends at once, colours stay, the text stays on the screen. */
const LESS = 'FRX';

let isOff = false;

/** For `--no-pager`. */
export function turnPagerOff(): void {
  isOff = true;
}

/**
 * Prints lines. On a terminal they are broken between words, and what is longer than the screen goes
 * through the pager.
 */
export async function page(lines: readonly string[]): Promise<void> {
  const { stdout, env } = process;
  const columns = tableColumns();
  const fitting = fitLines(lines, columns);
  const text = `${fitting.join('\n')}\n`;
  const pager = pagerOf(env, { isTerminal: stdout.isTTY, isOff });
  const isLong = fitting.length >= (stdout.rows || Infinity);
  if (pager !== undefined && isLong && (await runPager(pager, text))) return;
  stdout.write(text);
}

/** Every line, broken between words where it is too long. */
export function fitLines(lines: readonly string[], columns: number): readonly string[] {
  return lines.flatMap((text) => text.split('\n')).flatMap((one) => wrapLine(one, columns));
}

/** The user's pager; undefined if there is none to use. */
function pagerOf(
  env: Readonly<Record<string, string | undefined>>,
  { isTerminal, isOff: isTurnedOff }: { readonly isTerminal: boolean; readonly isOff: boolean },
): string | undefined {
  const wanted = (env['PML_PAGER'] ?? env['PAGER'] ?? 'less').trim();
  return !isTerminal || isTurnedOff || wanted === '' || wanted === 'cat' ? undefined : wanted;
}

/** Whether the pager could be started and showed the text. `PAGER` may hold options, so a shell reads it. */
async function runPager(pager: string, text: string): Promise<boolean> {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const env = { LESS, ...process.env };
  const child = spawn(pager, { shell: true, stdio: ['pipe', 'inherit', 'inherit'], env });
  // A reader who leaves before the end closes the pipe.
  child.stdin.on('error', () => {});
  child.stdin.end(text);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  // What the shell says when there is no such program.
  return code !== 127;
}
