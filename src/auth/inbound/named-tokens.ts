import { createHash, randomBytes } from 'node:crypto';

import {
  type Access,
  isJsonObject,
  type JsonValue,
  NO_ACCESS,
  type PinFile,
  PmlError,
  type Principal,
  principal,
} from '../../core/index.js';

/** Says what it is wherever it turns up, so that masks and scanners recognise it. */
const PREFIX = 'pml_';
const TOKEN_BYTES = 32;
const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

export interface NamedToken extends Access {
  readonly name: string;
  /** SHA-256: 256 random bits need no slow hash. */
  readonly hash: string;
  readonly createdAt: number;
  readonly expiresAt?: number;
}

export interface NewToken extends Access {
  readonly name: string;
  readonly expiresAt?: number;
}

/** The named tokens of our HTTP endpoint. Only their hashes are kept; a token is shown once. */
export class NamedTokens {
  readonly #file: PinFile;
  readonly #now: () => number;
  #loading: Promise<void> | undefined;
  #tokens: readonly NamedToken[] = [];

  constructor(file: PinFile, now: () => number) {
    this.#file = file;
    this.#now = now;
  }

  async list(): Promise<readonly NamedToken[]> {
    await this.load();
    return this.#tokens;
  }

  /** Resolves when the file was read. */
  load(): Promise<void> {
    return (this.#loading ??= this.#load());
  }

  /** The token itself, for the only time. Resolves when its hash is on disk. */
  async create({ name, servers, isReadOnly, profile, expiresAt }: NewToken): Promise<string> {
    await this.load();
    if (!NAME.test(name)) {
      const text = `${JSON.stringify(name)} is no name of a token; use letters, digits, ".", "_" or "-", at most 64`;
      throw new PmlError('BAD_REQUEST', text);
    }
    if (this.#tokens.some((one) => one.name === name)) {
      const text = `There is a token ${name} already; revoke it first, or use another name`;
      throw new PmlError('BAD_REQUEST', text);
    }
    if (expiresAt !== undefined && expiresAt <= this.#now()) {
      throw new PmlError('BAD_REQUEST', 'The token would have expired already');
    }
    const token = `${PREFIX}${randomBytes(TOKEN_BYTES).toString('base64url')}`;
    const made: NamedToken = {
      name,
      hash: hashOf(token),
      servers,
      isReadOnly,
      ...(profile !== undefined && { profile }),
      createdAt: this.#now(),
      ...(expiresAt !== undefined && { expiresAt }),
    };
    await this.#save([...this.#tokens, made]);
    return token;
  }

  /** Whether there was one. Its clients are refused from now on. */
  async revoke(name: string): Promise<boolean> {
    await this.load();
    const left = this.#tokens.filter((one) => one.name !== name);
    if (left.length === this.#tokens.length) return false;
    await this.#save(left);
    return true;
  }

  /** Whom a token names; undefined for an unknown, revoked or expired one. */
  identify(token: string): Principal | undefined {
    if (!token.startsWith(PREFIX)) return undefined;
    const hash = hashOf(token);
    // The hash of a guess tells nothing about the hash of a token, so a plain comparison will do.
    const found = this.#tokens.find((one) => one.hash === hash);
    return found && !this.#isExpired(found) ? principalOf(found) : undefined;
  }

  /** Undefined for a principal that is no token. Of a token that is gone: nothing. */
  accessOf(of: Principal): Access | undefined {
    if (!of.startsWith('token:')) return undefined;
    const found = this.#tokens.find((one) => principalOf(one) === of);
    return found && !this.#isExpired(found) ? found : NO_ACCESS;
  }

  #isExpired({ expiresAt }: NamedToken): boolean {
    return expiresAt !== undefined && this.#now() >= expiresAt;
  }

  async #load(): Promise<void> {
    const value = await this.#file.read();
    this.#tokens = Array.isArray(value) ? value.flatMap(readToken) : [];
  }

  async #save(tokens: readonly NamedToken[]): Promise<void> {
    await this.#file.write(tokens.map((one) => ({ ...one, servers: [...one.servers] })));
    this.#tokens = tokens;
  }
}

/** With the moment of its making: a new token of the same name does not inherit the runs of the old one. */
function principalOf({ name, createdAt }: NamedToken): Principal {
  return principal('token', `${name}@${createdAt}`);
}

function readToken(value: JsonValue): readonly NamedToken[] {
  if (!isJsonObject(value)) return [];
  const { name, hash, servers, isReadOnly, createdAt } = value;
  const isWhole =
    typeof name === 'string' &&
    typeof hash === 'string' &&
    Array.isArray(servers) &&
    typeof isReadOnly === 'boolean' &&
    typeof createdAt === 'number';
  // A parsed edge: PML wrote the file itself, under a checksum.
  return isWhole ? [value as unknown as NamedToken] : [];
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
