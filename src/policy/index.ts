export { errorType, isTransient } from './error-type.js';
export { createToolPolicy, type PolicyRules, type ToolPolicy } from './tool-policy.js';
