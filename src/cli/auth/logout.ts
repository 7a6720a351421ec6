import { askStarted, type DaemonFlags } from '../daemon/ask.js';
import { print, printJson } from '../print/print.js';

export async function logout(server: string, flags: DaemonFlags): Promise<void> {
  const { answer } = await askStarted(flags, 'sign-out', { server });
  if (flags.json) return printJson({ server, ...answer });
  print(
    answer.wasSignedIn ? `PML is signed out of ${server}.` : `PML was not signed in to ${server}.`,
  );
}
