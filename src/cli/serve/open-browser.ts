import { spawn } from 'node:child_process';

const HANDED_OVER_MS = 2_000;

/** Whether a program could be started that opens addresses. */
export function openBrowser(url: string): Promise<boolean> {
  const { command, args } = opener(process.platform, url);
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    // A program that ends well at once has handed the address over; one that stays is the browser.
    const timer = setTimeout(() => resolve(true), HANDED_OVER_MS);
    child.once('exit', (code) => {
      clearTimeout(timer);
      resolve(code === 0);
    });
    child.unref();
  });
}

/** The program of a system that opens addresses. */
export function opener(
  platform: NodeJS.Platform,
  url: string,
): { readonly command: string; readonly args: readonly string[] } {
  if (platform === 'darwin') return { command: 'open', args: [url] };
  // `start` is a word of the shell, which would read the address once more.
  if (platform === 'win32') {
    return { command: 'rundll32', args: ['url.dll,FileProtocolHandler', url] };
  }
  return { command: 'xdg-open', args: [url] };
}
