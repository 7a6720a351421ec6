import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

import { isJsonObject, type JsonObject, parseJson } from '../../core/index.js';

const FORMAT = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/** What encrypts sign-ins and names their rows. Both come from one secret. */
export interface SealKey {
  readonly cipher: Uint8Array;
  readonly names: Uint8Array;
}

/** `secret` has 32 random characters or more. */
export function sealKeyOf(secret: string): SealKey {
  const derive = (use: string) =>
    new Uint8Array(hkdfSync('sha256', secret, '', `pml sign-ins: ${use}`, KEY_BYTES));
  return { cipher: derive('cipher'), names: derive('names') };
}

/** The row of a sign-in. Gateways with another secret have other rows. */
export function sealedName({ names }: SealKey, key: string): string {
  return createHmac('sha256', names).update(key).digest('hex');
}

/** Bound to its name: a sealed value in the place of another one does not open. */
export function seal({ cipher }: SealKey, name: string, value: JsonObject): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  const sealing = createCipheriv('aes-256-gcm', cipher, nonce).setAAD(Buffer.from(name));
  const text = Buffer.concat([sealing.update(JSON.stringify(value), 'utf8'), sealing.final()]);
  return Buffer.concat([Buffer.of(FORMAT), nonce, sealing.getAuthTag(), text]);
}

/** Undefined if it was not sealed with this key, under this name. */
export function unseal(
  { cipher }: SealKey,
  name: string,
  sealed: Uint8Array,
): JsonObject | undefined {
  const [nonceAt, tagAt] = [1, 1 + NONCE_BYTES];
  const textAt = tagAt + TAG_BYTES;
  if (sealed[0] !== FORMAT || sealed.length < textAt) return undefined;
  const opening = createDecipheriv('aes-256-gcm', cipher, sealed.subarray(nonceAt, tagAt))
    .setAAD(Buffer.from(name))
    .setAuthTag(sealed.subarray(tagAt, textAt));
  try {
    const text = Buffer.concat([opening.update(sealed.subarray(textAt)), opening.final()]);
    const value = parseJson(text.toString('utf8'));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined; // The tag does not fit.
  }
}
