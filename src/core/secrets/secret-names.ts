import { nameParts } from '../names/name-parts.js';

/** What such a word names is secret, whatever the value looks like. */
const SECRET_WORDS = new Set(
  'password passwd passphrase passcode pwd secret credential credentials apikey bearer'.split(' '),
);
/** Secret as an argument; in a text such words have other meanings too often. */
const SECRET_ARGUMENTS = new Set('pin otp cvv cvc'.split(' '));
/** Secret with another one of them beside: a `key` alone opens many a thing that is none. */
const SECRET_PAIRS = new Set(
  ['api', 'access', 'private', 'secret', 'auth', 'encryption', 'signing']
    .map((word) => `${word} key`)
    .concat(
      ['access', 'auth', 'api', 'bearer', 'refresh', 'session', 'id', 'security', 'bot'].map(
        (word) => `${word} token`,
      ),
    ),
);
/** Tokens that open nothing: places in a list, and signs of a language model. */
const HARMLESS_TOKENS = new Set(
  'page next continuation cursor sync eos bos pad unk sep cls mask stop start end unexpected'.split(
    ' ',
  ),
);

/** In every name of a secret. Most names are none, and a look at their words takes longer. */
const SECRET_PART = /pass|pwd|secret|cred|key|bearer|auth|token/iu;

/** Whether a field of this name holds a secret: `DB_PASSWORD` does, `password_reset_enabled` does not. */
export function namesSecret(name: string): boolean {
  if (!SECRET_PART.test(name)) return false;
  const words = nameParts(name);
  const [before = '', last = ''] = [words.at(-2), words.at(-1)];
  if (SECRET_WORDS.has(last) || last === 'authorization') return true;
  if (SECRET_PAIRS.has(`${before} ${last}`)) return true;
  return last === 'token' && !HARMLESS_TOKENS.has(before);
}

/** Whether a name speaks of a secret at all: of an argument with such a name nothing is kept. */
export function mentionsSecret(name: string): boolean {
  const words = nameParts(name);
  return (
    words.some((word) => SECRET_WORDS.has(word) || SECRET_ARGUMENTS.has(word)) ||
    words.some((word, place) => SECRET_PAIRS.has(`${words[place - 1] ?? ''} ${word}`)) ||
    (words.length === 1 && words[0] === 'token')
  );
}
