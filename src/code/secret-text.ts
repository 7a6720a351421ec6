/** Forms in which services hand out keys, and in which people write them. */
const FORMS = [
  /\bsk-[A-Za-z0-9_-]{16,}/,
  /\b(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{10,}/,
  /\bgh[oprsu]_[A-Za-z0-9]{20,}/,
  /\bgithub_pat_\w{20,}/,
  /\bglpat-[\w-]{16,}/,
  /\bxox[abeoprs]-[\w-]{10,}/,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
  /\bAIza[\w-]{30,}/,
  /\b(?:npm|hf|dop_v1|shpat|whsec)_[A-Za-z0-9]{20,}/,
  /\bSG\.[\w-]{16,}\.[\w-]{16,}/,
  /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/,
  /\b(?:Bearer|Basic|Token)\s+[\w.~+/=-]{8,}/i,
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:[^\s/@]+@[^\s]*/i,
];

/** Long runs that might be chance; parts of paths and sentences are divided by other signs. */
const RUNS = [/[\w+=-]{20,}/g, /(?<![\w+/])[A-Za-z0-9+/]{40}(?![\w+/=])/g];

/** Random base 62 changes between small, capital and digit at six of ten places, words at few. */
const CHANGES_OF_CHANCE = 0.4;

/** Fields whose text is nobody's business, whatever it looks like. */
const NAMES =
  /^(?:password|passwd|passphrase|pwd|secret|token|api[-_]?key|x[-_]api[-_]key|(?:access|auth|bearer|refresh)[-_]?token|(?:client|app)[-_]?secret|private[-_]?key|secret[-_]?key|authorization|credentials?)$/i;

/** Where in a text a secret stands; nothing if there is none. */
export function findSecret(
  text: string,
): { readonly start: number; readonly end: number } | undefined {
  for (const form of FORMS) {
    const match = form.exec(text);
    if (match) return { start: match.index, end: match.index + match[0].length };
  }
  for (const match of RUNS.flatMap((run) => [...text.matchAll(run)])) {
    if (looksRandom(match[0])) return { start: match.index, end: match.index + match[0].length };
  }
  return undefined;
}

export function isSecretName(name: string): boolean {
  return NAMES.test(name);
}

function looksRandom(text: string): boolean {
  const kinds = Array.from(text, kindOf);
  if (new Set(kinds.filter((kind) => kind !== '-')).size < 3) return false;
  const changes = kinds.filter((kind, index) => index > 0 && kind !== kinds[index - 1]).length;
  return changes / (text.length - 1) >= CHANGES_OF_CHANCE;
}

function kindOf(sign: string): string {
  if (/[a-z]/.test(sign)) return 'a';
  if (/[A-Z]/.test(sign)) return 'A';
  return /\d/.test(sign) ? '0' : '-';
}
