export { type Admission, admit, type AdmittedCall } from './admit.js';
export { errorType, isTransient } from './error-type.js';
export { joinPolicies } from './join-policies.js';
export { isLooser, tightenApproval } from './tighten-approval.js';
export { nameDanger } from './name-danger.js';
export { nameWrites } from './name-writes.js';
export {
  type AskRule,
  createToolPolicy,
  type PolicyRules,
  type ToolPolicy,
} from './tool-policy.js';
