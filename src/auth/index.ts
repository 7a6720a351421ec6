export type { FlowAddress, FlowOutcome, SignInFlow } from './flow/sign-in-flow.js';
export { JwtIdentity } from './inbound/jwt-identity.js';
export { NamedTokens } from './inbound/named-tokens.js';
export { RemoteSignIns, type SignedOut, type SignInStatus } from './sign-ins.js';
export { ChosenSignInStore } from './store/chosen-sign-in-store.js';
export { FileSignInStore } from './store/file-sign-in-store.js';
export { SharedSignInStore } from './store/shared-sign-in-store.js';
