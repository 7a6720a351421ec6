import type { SessionCall } from '../../situation.js';
import { leavesOfArgs } from '../leaves.js';
import { type CopyColumn, LONGEST_VALUE, type Scalar } from './column.js';

interface Named extends CopyColumn {
  readonly key: string;
  readonly name: string;
  readonly source: string;
}

interface Folder {
  readonly key: string;
  readonly path: string;
}

const MOST_NAMES = 6;
const ROOTED = /^(?:~|\.{1,2})?\/\S*$|^[A-Za-z]:\\\S*$/;
const EXTENSION = /\.[A-Za-z][A-Za-z0-9]{0,5}$/;
const FILE_NAME = /^[^/\\\n]{1,150}$/;

/** Names of files that a listing or the request holds, below a folder that is known. */
export function joinedColumns(
  sources: readonly Named[],
  last: SessionCall | undefined,
  asked: readonly CopyColumn[],
): readonly CopyColumn[] {
  const folders = foldersOf(last, asked);
  if (folders.length === 0) return [];
  const names = [
    ...sources.filter((one) => one.source === 'result' && isListing(one)),
    ...asked
      .filter(({ path }) => path === 'relative')
      .map((column) => ({ ...column, key: 'asked:relative' })),
  ].slice(0, MOST_NAMES);
  return folders.flatMap((folder) =>
    names.map(({ key, values }) => ({
      path: `${folder.key}/${key}`,
      values: values.flatMap((name) => joined(folder.path, name)),
    })),
  );
}

function joined(folder: string, name: Scalar): readonly string[] {
  const text = String(name).replace(/^\.\//, '');
  if (!FILE_NAME.test(text) && !/^[\w.@-]+(?:\/[\w.@-]+)+$/.test(text)) return [];
  const path = `${folder.replace(/\/$/, '')}/${text}`;
  return path.length > LONGEST_VALUE ? [] : [path];
}

function isListing({ path, name }: Named): boolean {
  return (
    path.startsWith('~[') ||
    path === '~line' ||
    path === '~-' ||
    name === 'name' ||
    name === 'filename'
  );
}

/** The folder that the last call was about, the folder of its file, and the folder of the request. */
function foldersOf(last: SessionCall | undefined, asked: readonly CopyColumn[]): readonly Folder[] {
  const found = new Map<string, Folder>();
  const add = (key: string, path: string) => {
    if (path !== '' && !found.has(path)) found.set(path, { key, path });
  };
  for (const leaf of last ? (leavesOfArgs(last.args)?.values() ?? []) : []) {
    if (typeof leaf !== 'string' || !ROOTED.test(leaf)) continue;
    if (EXTENSION.test(leaf)) add('beside', leaf.slice(0, Math.max(0, leaf.lastIndexOf('/'))));
    else add('below', leaf);
    break;
  }
  const rooted = asked.find(({ path }) => path === 'rooted')?.values ?? [];
  const base = rooted.findLast((path) => typeof path === 'string' && !EXTENSION.test(path));
  if (typeof base === 'string') add('asked', base);
  return [...found.values()];
}
