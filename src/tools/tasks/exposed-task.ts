import { isServerName, type ServerName } from '../../core/index.js';

/**
 * The id of a task of a server as clients get it. It says which server has the task, so PML needs no
 * memory of it: a client can ask for its task after PML was restarted.
 */
export function exposedTask(server: ServerName, id: string): string {
  return `${server}:${id}`;
}

/** The server that has a task, and the id that the server knows; undefined for other ids. */
export function parseExposedTask(
  text: string,
): { readonly server: ServerName; readonly id: string } | undefined {
  const colon = text.indexOf(':');
  const server = text.slice(0, Math.max(colon, 0));
  return isServerName(server) ? { server, id: text.slice(colon + 1) } : undefined;
}
