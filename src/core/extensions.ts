import { isJsonObject, type JsonObject } from './json.js';

/** Extensions of the protocol that PML takes part in. Others pass through it undisturbed. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';
export const UI_EXTENSION = 'io.modelcontextprotocol/ui';
export const SKILLS_EXTENSION = 'io.modelcontextprotocol/skills';

/** The extensions in the capabilities of a client or a server, by their names. */
export function extensionsIn(capabilities: JsonObject): JsonObject | undefined {
  const { extensions } = capabilities;
  return isJsonObject(extensions) ? extensions : undefined;
}

export function declares(capabilities: JsonObject, extension: string): boolean {
  return isJsonObject(extensionsIn(capabilities)?.[extension]);
}

/** The capabilities with an extension that PML speaks itself. */
export function withExtension(capabilities: JsonObject, extension: string): JsonObject {
  if (declares(capabilities, extension)) return capabilities;
  return { ...capabilities, extensions: { ...extensionsIn(capabilities), [extension]: {} } };
}
