import type { ProtocolEra } from '../tool.js';

/**
 * A task that a server carries out for a call: the call was answered with this handle, and PML asks the
 * server for the result. The handle outlives the connection, and the process of PML.
 */
export interface RemoteTask {
  /** As the server names it. */
  readonly id: string;
  /** The protocol era that the server gave the handle in: its other methods differ by era. */
  readonly era: ProtocolEra;
}
