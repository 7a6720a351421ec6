export { checkArgs } from './check-args.js';
export { checkOutput } from './check-output.js';
export { describeViolations, type Violation } from './violation.js';
