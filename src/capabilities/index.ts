export type { CapabilitiesChange } from './book.js';
export { Capabilities, type CapabilitiesOptions, type DisableOptions } from './capabilities.js';
export type { DefinitionOf, LockCheck } from './check-lock.js';
export type { Learned } from './learn.js';
export type { Imported } from './plan-import.js';
export type { Mask, Proof } from './read-proof.js';
export { signatureOf } from './signature-of.js';
export type { Use } from './take-use.js';
