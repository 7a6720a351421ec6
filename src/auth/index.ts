export type { FlowAddress, FlowOutcome, SignInFlow } from './flow/sign-in-flow.js';
export { SignIns, type SignInStatus } from './sign-ins.js';
export { FileSignInStore } from './store/file-sign-in-store.js';
