/** A server of `pml demo`: MCP over stdio, with the tools of `sample-tools.ts`. */
import { createInterface } from 'node:readline';

import { type JsonObject, PmlError } from '../../core/index.js';
import { SAMPLE_SERVERS, type SampleTool } from './sample-tools.js';

interface Request {
  readonly id?: string | number;
  readonly method: string;
  readonly params?: JsonObject;
}

export function serveSample(name: string): void {
  const tools = SAMPLE_SERVERS[name];
  if (!tools) throw new PmlError('BAD_REQUEST', `There is no sample server ${name}`);
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    const { id, ...request } = JSON.parse(line) as Request;
    if (id === undefined) return;
    const answer = { jsonrpc: '2.0', id, ...answerSample(name, tools, request) };
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  });
  lines.once('close', () => process.exit(0));
}

function answerSample(
  name: string,
  tools: readonly SampleTool[],
  { method, params = {} }: Request,
): JsonObject {
  switch (method) {
    case 'initialize':
      return {
        result: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name, version: '1.0.0' },
        },
      };
    case 'ping':
      return { result: {} };
    case 'tools/list':
      return { result: { tools: tools.map(definitionOf) } };
    case 'tools/call':
      return callSample(tools, params);
    default:
      return { error: { code: -32_601, message: `no method ${method}` } };
  }
}

function callSample(tools: readonly SampleTool[], params: JsonObject): JsonObject {
  const tool = tools.find((one) => one.name === params['name']);
  if (!tool) return { error: { code: -32_602, message: 'no such tool' } };
  const value = tool.run((params['arguments'] ?? {}) as JsonObject);
  return {
    result: { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value },
  };
}

function definitionOf({ name, description, inputSchema, annotations }: SampleTool): JsonObject {
  return { name, description, inputSchema, annotations };
}
