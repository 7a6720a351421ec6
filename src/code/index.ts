export type { OperationSite } from './instrument.js';
export { type PreparedCode, prepareCode } from './prepare-code.js';
export type { SourcePosition } from './source-text.js';
