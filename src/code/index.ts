export { analyzeCode, effectsOf } from './analyze-code.js';
export { formatStructure } from './format-structure.js';
export { identifyCode } from './identify-code.js';
export type { OperationSite } from './instrument.js';
export { liftLiterals, type LiftOptions, type Parameterised } from './lift-literals.js';
export { nameFromIntent } from './name-from-intent.js';
export { type PreparedCode, prepareCode } from './prepare-code.js';
export type { SourcePosition } from './source-text.js';
export { straightLine } from './straight-line.js';
export type {
  CodeEffects,
  CodeStructure,
  StructureEdge,
  StructureNode,
  ValueSource,
} from './structure.js';
