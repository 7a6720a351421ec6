import { createHash } from 'node:crypto';

import { splitCamelCase, type ToolDefinition } from '../core/index.js';

/** What comes later in a description is seldom about what the tool is for. */
const MAX_DESCRIPTION_LENGTH = 600;

/**
 * The text that stands for a tool: its title or name in words, and what it does. Parameters are left
 * out: they belong to lexical search and blur a vector.
 */
export function toolText({ name, title, annotations, description }: ToolDefinition): string {
  const heading = collapse(title ?? '') || collapse(annotations?.title ?? '') || inWords(name);
  const purpose = cut(collapse(description ?? ''));
  return purpose === '' ? heading : `${heading}: ${purpose}`;
}

export function contentHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** `getHTTPStatus_v2` → `get HTTP Status v2`. */
function inWords(name: string): string {
  return collapse(splitCamelCase(name).replace(/[_\-./:]+/g, ' '));
}

function collapse(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

function cut(text: string): string {
  if (text.length <= MAX_DESCRIPTION_LENGTH) return text;
  const start = text.slice(0, MAX_DESCRIPTION_LENGTH + 1);
  const space = start.lastIndexOf(' ');
  const end = space > MAX_DESCRIPTION_LENGTH / 2 ? space : MAX_DESCRIPTION_LENGTH;
  return start.slice(0, end).replace(/[\uD800-\uDBFF]$/, '');
}
