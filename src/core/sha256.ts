/**
 * The hash in hexadecimal digits. Loads `node:crypto` with the first one: commands whose configuration is
 * the user's own need none, and loading it takes a tenth of their start.
 */
export function sha256(content: string | Uint8Array): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(content).digest('hex');
}
