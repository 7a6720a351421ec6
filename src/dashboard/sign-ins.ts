import { createHash, randomBytes } from 'node:crypto';

/** A browser that signed in. The secret itself is in its cookie alone. */
export interface KeptSession {
  /** Of the secret. */
  readonly hash: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export interface SignInsOptions {
  /** Sessions of earlier daemons. */
  readonly sessions: readonly KeptSession[];
  /** Keeps the sessions for the daemons that follow. */
  readonly save: (sessions: readonly KeptSession[]) => void;
  readonly now: () => number;
}

const SECRET_BYTES = 32;
const TOKEN_MS = 5 * 60_000;
/** Using a session does not extend it: a stolen cookie ends with it. */
export const SIGNED_IN_MS = 7 * 24 * 3_600_000;
const MOST_TOKENS = 20;
const MOST_SESSIONS = 20;

/**
 * Who may see the dashboard. A token in an address works once and for minutes; it becomes the secret
 * of a cookie, of which the daemon knows only the hash.
 */
export class SignIns {
  readonly #options: SignInsOptions;
  readonly #tokens = new Map<string, number>();
  #sessions: Map<string, KeptSession>;

  constructor(options: SignInsOptions) {
    this.#options = options;
    this.#sessions = new Map(options.sessions.map((session) => [session.hash, session]));
  }

  /** Sessions that are not over. */
  get size(): number {
    this.#forgetOld();
    return this.#sessions.size;
  }

  issueToken(): { readonly token: string; readonly expiresAt: number } {
    this.#forgetOld();
    const token = newSecret();
    const expiresAt = this.#options.now() + TOKEN_MS;
    dropOldest(this.#tokens, MOST_TOKENS - 1);
    this.#tokens.set(hashOf(token), expiresAt);
    return { token, expiresAt };
  }

  /** The secret of a new session; nothing for a token that is unknown, used or too old. */
  redeem(token: string): string | undefined {
    this.#forgetOld();
    if (!this.#tokens.delete(hashOf(token))) return undefined;
    const secret = newSecret();
    const hash = hashOf(secret);
    dropOldest(this.#sessions, MOST_SESSIONS - 1);
    this.#sessions.set(hash, { hash, expiresAt: this.#options.now() + SIGNED_IN_MS });
    this.#save();
    return secret;
  }

  isSignedIn(secret: string | undefined): boolean {
    if (secret === undefined || secret === '') return false;
    const session = this.#sessions.get(hashOf(secret));
    return session !== undefined && session.expiresAt > this.#options.now();
  }

  signOut(secret: string): void {
    if (this.#sessions.delete(hashOf(secret))) this.#save();
  }

  #save(): void {
    this.#options.save([...this.#sessions.values()]);
  }

  #forgetOld(): void {
    const now = this.#options.now();
    for (const [hash, expiresAt] of this.#tokens) if (expiresAt <= now) this.#tokens.delete(hash);
    for (const { hash, expiresAt } of this.#sessions.values()) {
      if (expiresAt <= now) this.#sessions.delete(hash);
    }
  }
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Secrets are random, so a plain hash tells nothing; looking it up takes no time that depends on them. */
function hashOf(secret: string): string {
  return createHash('sha256').update(`pml dashboard\n${secret}`).digest('base64url');
}

function dropOldest(map: Map<string, unknown>, keep: number): void {
  for (const key of map.keys()) {
    if (map.size <= keep) return;
    map.delete(key);
  }
}
