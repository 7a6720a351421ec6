export { analyzeCode, effectsOf } from './flow/analyze-code.js';
export { formatStructure } from './flow/format-structure.js';
export type {
  CodeEffects,
  CodeStructure,
  StructureEdge,
  StructureNode,
  ValueSource,
} from './flow/structure.js';
export { identifyCode } from './lift/identify-code.js';
export { liftLiterals, type LiftOptions, type Parameterised } from './lift/lift-literals.js';
export { nameFromIntent } from './lift/name-from-intent.js';
export type { OperationSite } from './prepare/instrument.js';
export { prepareCode, type PreparedCode } from './prepare/prepare-code.js';
export { parseCode, type ParsedCode } from './source/parse-code.js';
export type { SourcePosition } from './source/source-text.js';
