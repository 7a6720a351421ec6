export type { Protections } from './protections.js';
export {
  createSandbox,
  findProtections,
  type ProcessSandbox,
  type SandboxOptions,
  type SandboxStatus,
} from './sandbox.js';
