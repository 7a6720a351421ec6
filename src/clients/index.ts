export {
  dottedPath,
  type ParsedText,
  parseJsonc,
  positionOf,
  type TextProblem,
} from './parse-jsonc.js';
export { type ConfigText, isAbsent, MAX_CONFIG_BYTES, readConfigText } from './read-text.js';
export { modeOf, writeAtomic } from './write-atomic.js';
