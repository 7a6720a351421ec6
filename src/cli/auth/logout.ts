import type { SignOutAnswer } from '../../control/index.js';
import { visible } from '../../core/visible-text.js';
import { askStarted, type DaemonFlags } from '../daemon/ask.js';
import { print, printJson } from '../print/print.js';

export async function logout(server: string, flags: DaemonFlags): Promise<void> {
  const { answer } = await askStarted(flags, 'sign-out', { server });
  if (flags.json) return printJson({ server, ...answer });
  for (const line of describeSignOut(server, answer)) print(line);
}

export function describeSignOut(
  server: string,
  { wasSignedIn, revocation, why = '' }: SignOutAnswer,
): readonly string[] {
  if (!wasSignedIn) return [`PML was not signed in to ${server}.`];
  const done = `PML is signed out of ${server}.`;
  const left = 'If you want them gone now, remove the access of PML in your account there.';
  switch (revocation) {
    case 'revoked':
      return [done, 'The authorization server revoked the tokens.'];
    case 'not_offered':
      return [
        done,
        `The authorization server offers no revocation: the tokens expire there by themselves. ${left}`,
      ];
    case 'failed':
      return [done, `The authorization server did not revoke the tokens: ${visible(why)}. ${left}`];
    default:
      return [done];
  }
}
