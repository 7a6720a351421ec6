export { checkArgs } from './check-args.js';
export { checkOutput } from './check-output.js';
export { createValidator, type Validator, type ValidatorOptions } from './create-validator.js';
export { describeViolations, type Violation } from './violation.js';
