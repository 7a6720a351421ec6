import type { Id } from './ids.js';

/**
 * On whose behalf a request is made, as far as the client proves it. It is written into the journal,
 * so it holds hashes and never the secrets they were made of.
 */
export type Principal = Id<'principal'>;

type Kind = 'client' | 'session' | 'exchange' | 'run' | 'token' | 'subject';

/** Everything that came through the socket, which only programs of the same OS user can open. */
export const THE_USER = 'user' as Principal;

export function principal(kind: Kind, mark: string): Principal {
  return `${kind}:${mark}` as Principal;
}

/** Whether nothing ties this request to another one of the same client. */
export function isExchange(one: Principal): boolean {
  return one.startsWith('exchange:');
}
