import { isJsonObject, type JsonObject, type ServerName } from '../../core/index.js';
import { SKILL_URI } from './skills.js';

const MAIN_FILE = '/SKILL.md';

/** A file of a skill: the server that has it, and the address that the server knows. */
export interface SkillPlace {
  readonly server: ServerName;
  readonly uri: string;
}

/**
 * Which server has which skill. Servers choose addresses without knowing each other: a skill whose folder
 * another server has already gets the name of its server before it, as does one in the folder of PML.
 */
export class SkillPlaces {
  /** Folders as clients see them. */
  readonly #folders = new Map<string, SkillPlace>();

  /** Where clients see a skill of a server. The same skill has the same place for ever. */
  place(server: ServerName, uri: string): string {
    const folder = folderOf(uri);
    let seen = folder;
    while (!this.#isFree(seen, { server, uri: folder })) seen = behind(server, seen);
    this.#folders.set(seen, { server, uri: folder });
    return `${seen}${uri.slice(folder.length)}`;
  }

  /** The file that an address of a client means; undefined if it is in no known skill. */
  find(uri: string): SkillPlace | undefined {
    for (let end = uri.lastIndexOf('/'); end > 0; end = uri.lastIndexOf('/', end - 1)) {
      const found = this.#folders.get(uri.slice(0, end));
      if (found) return { server: found.server, uri: `${found.uri}${uri.slice(end)}` };
    }
    return undefined;
  }

  /** An entry of a server as clients see it; undefined if it is none that a client could use. */
  expose(server: ServerName, entry: unknown): JsonObject | undefined {
    if (!isJsonObject(entry) || typeof entry['uri'] !== 'string') return undefined;
    const { uri, resources } = entry;
    if (!uri.endsWith(MAIN_FILE)) return undefined;
    const own = folderOf(uri);
    const place = this.place(server, uri);
    const seen = folderOf(place);
    const files = Array.isArray(resources)
      ? resources.map((file) => withFolder(file, own, seen))
      : resources;
    return { ...entry, uri: place, ...(files !== undefined && { resources: files }) };
  }

  #isFree(folder: string, { server, uri }: SkillPlace): boolean {
    if (`${folder}/`.startsWith(SKILL_URI)) return false;
    const taken = this.#folders.get(folder);
    return !taken || (taken.server === server && taken.uri === uri);
  }
}

function folderOf(uri: string): string {
  return uri.endsWith(MAIN_FILE) ? uri.slice(0, -MAIN_FILE.length) : uri;
}

/** `skill://refunds` of `shop` is `skill://shop/refunds`, whatever its scheme. */
function behind(server: ServerName, folder: string): string {
  const [, scheme = '', rest = folder] = /^([a-z][\w+.-]*:\/\/)(.*)$/i.exec(folder) ?? [];
  return `${scheme}${server}/${rest}`;
}

function withFolder(file: unknown, own: string, seen: string): JsonObject {
  if (!isJsonObject(file) || typeof file['uri'] !== 'string') return {};
  const { uri } = file;
  return uri.startsWith(`${own}/`) ? { ...file, uri: `${seen}${uri.slice(own.length)}` } : file;
}
