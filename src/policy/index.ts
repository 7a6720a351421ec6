export { errorType, isTransient } from './error-type.js';
export { joinPolicies } from './join-policies.js';
export { createToolPolicy, type PolicyRules, type ToolPolicy } from './tool-policy.js';
