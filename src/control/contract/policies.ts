import type { ToolStatus } from '../../core/index.js';

/** What the user's rules, a tool's hints and its name say of calling it. */
export interface ToolPolicyRow {
  readonly tool: string;
  readonly server: string;
  readonly status: ToolStatus;
  /** Why it is not active. */
  readonly reason?: string;
  readonly risk: 'read' | 'write' | 'risky';
  /** Whether calling it twice is as good as calling it once. */
  readonly isRepeatable: boolean;
  /** What happens to a call of an agent. */
  readonly decision: 'allow' | 'ask' | 'deny';
  /** Who must approve it, where it asks. */
  readonly whom?: 'agent' | 'person';
  /** Why it asks or is denied. */
  readonly why?: string;
}
