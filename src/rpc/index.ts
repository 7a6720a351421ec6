export type { Channel, SendOptions } from './channel.js';
export { LineSplitter } from './line-splitter.js';
export { LineWriter } from './line-writer.js';
export { type ErrorMasks, maskRpcError } from './mask-rpc-error.js';
export {
  messageKind,
  RPC,
  RpcError,
  type RpcErrorBody,
  type RpcId,
  type RpcMessage,
  type RpcNotification,
  type RpcRequest,
  type RpcResponse,
} from './messages.js';
export { parseLine } from './parse-line.js';
export { Peer, type PeerHandlers, type RequestOptions } from './peer.js';
export {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LATEST_PROTOCOL_VERSION,
  LOG_LEVEL_META_KEY,
  MODERN_VERSION,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  SUBSCRIPTION_ID_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from './protocol.js';
export type { SessionState } from './session-state.js';
