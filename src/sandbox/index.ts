export {
  createSandbox,
  findProtections,
  type ProcessSandbox,
  type SandboxOptions,
  type SandboxStatus,
} from './sandbox.js';
export type { Protections } from './protections.js';
