import type { Principal } from '../../core/index.js';
import type { SessionState } from '../../rpc/index.js';

export interface SessionOptions {
  readonly id: string;
  /** The user, unless the client proves another identity. */
  readonly principal?: Principal;
  /** Name of the profile that the client uses. Default: that of the configuration, if any. */
  readonly profile?: string | undefined;
  readonly onStateChange?: (state: SessionState) => void;
  readonly onClose?: () => void;
  /** Lives for one request: it ignores everything that happens between requests. */
  readonly isStateless?: boolean;
}
