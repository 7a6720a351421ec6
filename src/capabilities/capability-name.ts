import { PmlError } from '../core/index.js';

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/** `cap.<name>` must mean the capability and nothing that every object or promise has. */
const TAKEN_BY_LANGUAGE = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  'catch',
  'finally',
  'prototype',
  'then',
  'toJSON',
]);

export function isCapabilityName(text: string): boolean {
  return NAME.test(text) && !TAKEN_BY_LANGUAGE.has(text);
}

export function checkName(text: string): void {
  if (isCapabilityName(text)) return;
  throw new PmlError(
    'BAD_REQUEST',
    `Expected a name of letters, digits and "_" that starts with no digit (at most 64), got ${JSON.stringify(text)}`,
  );
}

/** The name itself, or the first with a number after it that is free. */
export function freeName(wanted: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(wanted)) return wanted;
  for (let number = 2; ; number++) {
    const name = `${wanted.slice(0, 60)}${number}`;
    if (!isTaken(name)) return name;
  }
}
