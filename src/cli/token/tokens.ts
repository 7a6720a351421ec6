import { PmlError } from '../../core/errors.js';
import { askStarted, type DaemonFlags } from '../daemon/ask.js';
import { print, printJson } from '../print/print.js';

interface CreateFlags extends DaemonFlags {
  readonly name: string;
  readonly servers?: readonly string[];
  readonly readOnly?: boolean;
  readonly profile?: string;
  readonly expires?: string;
}

const UNITS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

export async function createToken(flags: CreateFlags): Promise<void> {
  const { name, servers, readOnly, profile, expires } = flags;
  const { answer } = await askStarted(flags, 'token-create', {
    name,
    ...(servers && { servers }),
    ...(readOnly && { readOnly }),
    ...(profile !== undefined && { profile }),
    ...(expires !== undefined && { expiresInMs: readTime(expires) }),
  });
  if (flags.json) return printJson({ name, ...answer });
  print(answer.token);
  print('Keep it: PML stores only its hash and does not show it again.');
}

export async function listTokens(flags: DaemonFlags): Promise<void> {
  const { answer } = await askStarted(flags, 'tokens', {});
  if (flags.json) return printJson(answer);
  if (answer.tokens.length === 0) return print('There is no named token.');
  for (const { name, servers, readOnly, profile, expiresAt } of answer.tokens) {
    const may = `${readOnly ? 'reads' : 'uses'} ${servers.join(', ')}${profile === undefined ? '' : ` in profile ${profile}`}`;
    print(`${name}: ${may}; ${expiresAt === undefined ? 'does not expire' : `until ${expiresAt}`}`);
  }
}

export async function revokeToken(name: string, flags: DaemonFlags): Promise<void> {
  const { answer } = await askStarted(flags, 'token-revoke', { name });
  if (!answer.wasThere) throw new PmlError('BAD_REQUEST', `There is no token ${name}`);
  if (flags.json) return printJson({ revoked: name });
  print(`The token ${name} is revoked.`);
}

/** `30d`, `12h`: a whole number and a unit. */
export function readTime(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  const unitMs = UNITS[unit];
  if (unitMs !== undefined && Number(count) > 0) return Number(count) * unitMs;
  throw new PmlError('BAD_REQUEST', `"${text}" is no time; write 90m, 12h, 30d or 4w`);
}
