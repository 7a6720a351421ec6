/** What is known of code, straight from its text: tests have no second use for what was parsed. */
import {
  analyzeCode,
  identifyCode,
  liftLiterals,
  type LiftOptions,
  parseCode,
  prepareCode,
} from '../../src/code/index.js';

export const structureOfText = (text: string) => analyzeCode(parseCode(text));
export const identityOfText = (text: string) => identifyCode(parseCode(text));
export const preparedText = (text: string) => prepareCode(parseCode(text));
export const liftedText = (text: string, options?: LiftOptions) =>
  liftLiterals(parseCode(text), options);
