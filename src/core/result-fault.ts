import { isJsonObject, type JsonObject, type JsonValue } from './json.js';

/** Fields without which a block of a known type is unreadable. */
const NEEDED: Readonly<Record<string, readonly [field: string, type: 'string' | 'object']>> = {
  text: ['text', 'string'],
  image: ['data', 'string'],
  audio: ['data', 'string'],
  resource: ['resource', 'object'],
  resource_link: ['uri', 'string'],
};

/**
 * What is wrong with an answer to `tools/call`; nothing if clients, tasks and scripts can use it.
 * Blocks of unknown types pass: a later revision may define them.
 */
export function resultFault(result: unknown): string | undefined {
  if (!isJsonObject(result)) return 'is not an object';
  const { content } = result;
  if (!Array.isArray(content)) return 'has "content" that is not a list';
  for (const [place, block] of (content as readonly JsonValue[]).entries()) {
    const fault = blockFault(block);
    if (fault) return `has content[${place}] ${fault}`;
  }
  return undefined;
}

function blockFault(block: JsonValue): string | undefined {
  if (!isJsonObject(block)) return 'that is not an object';
  const { type } = block as JsonObject;
  if (typeof type !== 'string') return 'without a "type"';
  const [field, kind] = (Object.hasOwn(NEEDED, type) && NEEDED[type]) || [];
  if (field === undefined) return undefined;
  const value = block[field];
  const fits = kind === 'object' ? isJsonObject(value) : typeof value === kind;
  return fits ? undefined : `of type "${type}" without "${field}"`;
}
