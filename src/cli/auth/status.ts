import type { ControlResult } from '../../control/index.js';
import { PmlError } from '../../core/errors.js';
import { askStarted, type DaemonFlags } from '../daemon/ask.js';
import { print, printJson } from '../print/print.js';

type Row = ControlResult<'sign-ins'>['signIns'][number];

export async function showSignIns(server: string | undefined, flags: DaemonFlags): Promise<void> {
  const { answer } = await askStarted(flags, 'sign-ins', {});
  const rows = answer.signIns.filter((row) => server === undefined || row.server === server);
  if (server !== undefined && rows.length === 0) {
    throw new PmlError('SERVER_UNKNOWN', `No remote server ${server} is configured`);
  }
  if (flags.json) return printJson({ ...answer, signIns: rows });
  if (rows.length === 0) return print('No remote server is configured.');
  for (const row of rows) print(describeSignIn(row, new Date()));
  print(`Tokens are kept in ${answer.place}.`);
}

/** One line about one server. */
export function describeSignIn(row: Row, now: Date): string {
  return `${row.server}: ${describeState(row, now)}`;
}

function describeState({ server, state, issuer, scope, expiresAt, isRenewable }: Row, now: Date) {
  switch (state) {
    case 'configured':
      return 'uses headers.Authorization of pml.json';
    case 'not_needed':
      return 'has not asked for a sign-in';
    case 'needs_sign_in':
      return `needs a sign-in. Run: pml auth login ${server}`;
    case 'signed_in': {
      const scopes = scope === undefined ? '' : `, with ${scope}`;
      return `signed in at ${issuer ?? 'its issuer'}${scopes}${ends({ expiresAt, isRenewable }, now)}`;
    }
  }
}

function ends(
  { expiresAt, isRenewable }: { expiresAt: string | undefined; isRenewable: boolean | undefined },
  now: Date,
) {
  if (isRenewable || expiresAt === undefined) return '; PML renews it';
  return new Date(expiresAt) > now ? `; ends at ${expiresAt}` : '; has expired';
}
