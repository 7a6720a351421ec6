declare const brand: unique symbol;

/** A string that only its own constructor can make, so ids of two kinds cannot be swapped. */
export type Id<Kind extends string> = string & { readonly [brand]: Kind };

export type ServerName = Id<'server'>;
export type ToolId = Id<'tool'>;
export type TaskId = Id<'task'>;
export type RunId = Id<'run'>;

const SERVER_NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;

/** Reserved: `pml:read_result` must never be the tool of a user's server. */
export const BUILT_IN_SERVER = 'pml' as ServerName;

const OURS: ReadonlySet<string> = new Set(['pml', 'cap', 'code']);

/** Stands before the names of capabilities, as servers stand before those of tools. */
export const CAPABILITY_SERVER = 'cap' as ServerName;

/** Whether it runs code of ours, whose calls are calls of their own. */
export function isCapability(tool: ToolId): boolean {
  return tool.startsWith(`${CAPABILITY_SERVER}:`);
}

/** Names a user may give. Neither `:` nor `__` may be in them: both join servers and tools. */
export function isServerName(text: string): text is ServerName {
  return SERVER_NAME.test(text) && !text.includes('__') && !OURS.has(text);
}

export function serverName(text: string): ServerName {
  if (!isServerName(text)) {
    throw new TypeError(
      `Expected a server name of letters, digits, "." "_" or "-" (at most 64, no "__", not "pml", "cap" or "code"), got \`${text}\``,
    );
  }
  return text;
}

/** Joins a server and one of its tools to `server:tool`. */
export function toolId(server: ServerName, tool: string): ToolId {
  return `${server}:${tool}` as ToolId;
}

/** Parses `server:tool`. The tool part may hold further colons. */
export function parseToolId(text: string): { id: ToolId; server: ServerName; tool: string } {
  const colon = text.indexOf(':');
  const server = text.slice(0, colon);
  const isKnownForm = isServerName(server) || OURS.has(server);
  if (colon < 1 || colon === text.length - 1 || !isKnownForm) {
    throw new TypeError(`Expected \`server:tool\`, got \`${text}\``);
  }
  return { id: text as ToolId, server: server as ServerName, tool: text.slice(colon + 1) };
}

export const taskId = (text: string): TaskId => text as TaskId;
export const runId = (text: string): RunId => text as RunId;
