export type { Channel, SendOptions } from './channel.js';
export { LineSplitter } from './line-splitter.js';
export { LineWriter } from './line-writer.js';
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
export { writeNow } from './write-now.js';
export { errorResponse, Peer, type PeerHandlers, type RequestOptions } from './peer.js';
