/**
 * The data directory, made safe before anything in it is used. A journal or a store of another user
 * can make PML call tools, and a link in it can make PML write anywhere.
 *
 * Invariants:
 * - No symbolic link, no other owner and nothing but files, folders and sockets in it.
 * - Outside the home of PML it carries a mark that only this user on this machine can make, unless
 *   the user named the directory.
 */
import {
  accessSync,
  chmodSync,
  constants,
  type Dirent,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { basename, dirname, isAbsolute, relative, sep } from 'node:path';

import { isAbsent, messageOf, PmlError } from '../core/errors.js';
import { hasMark, writeOwnerMark } from './owner-mark.js';

/** Where the data is, and how PML came to it. */
export interface DataDir {
  /** Absolute. */
  readonly dataDir: string;
  /** The home of PML: everything in it belongs to the user. */
  readonly home: string;
  /** The user named this very directory, with `--data-dir` or `PML_DATA_DIR`. */
  readonly isNamed: boolean;
}

const PRIVATE = 0o700;
/** The home of PML holds more than its own data: data of projects, and files users may link. */
const NOT_DATA: ReadonlySet<string> = new Set(['backups', 'pml.json', 'projects']);

/** Creates the directory, or checks that an existing one may be used. Throws `DATA_DIR_REFUSED`. */
export function prepareDataDir(place: DataDir): void {
  const { dataDir, isNamed } = place;
  const isNew = !exists(dataDir);
  if (isNew) create(dataDir);
  assertSafe(place);
  if (isNamed || isInHome(place)) return;
  if (isNew || readdirSync(dataDir).length === 0) writeOwnerMark(place);
  else if (!hasMark(place)) throw notOurs(dataDir);
}

/** Whether the directory would be refused because PML did not make it for this user. */
export function isForeign(place: DataDir): boolean {
  const { dataDir, isNamed } = place;
  if (isNamed || isInHome(place) || !exists(dataDir)) return false;
  return readdirSync(dataDir).length > 0 && !hasMark(place);
}

/** Adopts a directory that the user has recognized as their own. */
export function adoptDataDir(place: DataDir): void {
  assertSafe(place);
  writeOwnerMark(place);
}

/** Throws unless everything in the directory belongs to the user and is no link to elsewhere. */
export function assertSafe({ dataDir, home }: Pick<DataDir, 'dataDir' | 'home'>): void {
  const isHome = dataDir === home;
  const found = lstatSync(isHome ? realpathSync(dataDir) : dataDir);
  assertEntry(dataDir, found);
  if (!found.isDirectory()) throw refused(dataDir, 'is not a directory');
  assertWritable(dataDir);
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) chmodSync(dataDir, PRIVATE);
  for (const entry of readdirSync(dataDir, { withFileTypes: true })) {
    if (!isHome || !NOT_DATA.has(entry.name)) assertTree(dataDir, entry);
  }
}

function assertTree(folder: string, entry: Dirent): void {
  // Not `join`: there are a thousand of them at each start.
  const path = `${folder}${sep}${entry.name}`;
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return; // A temporary file that its writer has renamed since.
  assertEntry(path, found);
  if (!found.isDirectory()) return;
  for (const inner of entriesOf(path)) assertTree(path, inner);
}

/** None for a folder that its owner has removed since. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

function assertEntry(path: string, found: Stats): void {
  if (found.isSymbolicLink()) throw refused(path, 'is a symbolic link');
  const isPlain = found.isFile() || found.isDirectory() || found.isSocket();
  if (!isPlain) throw refused(path, 'is neither a file nor a folder');
  if (process.platform === 'win32' || found.uid === process.getuid?.()) return;
  throw refused(path, `belongs to another user (id ${found.uid})`);
}

function create(dataDir: string): void {
  try {
    for (const folder of missingFolders(dataDir)) createFolder(folder);
  } catch (error) {
    throw unusable(dataDir, error);
  }
}

/** Outermost first. One by one, since Node's own `recursive` never ends below `/proc`. */
function missingFolders(path: string): readonly string[] {
  if (exists(path) || dirname(path) === path) return [];
  return [...missingFolders(dirname(path)), path];
}

function createFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: PRIVATE });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // Made by another relay.
  }
}

function assertWritable(dataDir: string): void {
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unusable(dataDir, error);
  }
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (isAbsent(error)) return false; // A file stands where a folder of the path should.
    throw unusable(path, error);
  }
}

function isInHome({ dataDir, home }: DataDir): boolean {
  const way = relative(home, dataDir);
  return way === '' || (!way.startsWith('..') && !isAbsolute(way));
}

function refused(path: string, what: string): PmlError {
  return new PmlError(
    'DATA_DIR_REFUSED',
    `${path} ${what}. PML does not use a data directory with such an entry, because the owner of that entry could make PML write or run something else. Remove ${basename(path)} from ${dirname(path)}, or choose another directory with "dataDir" or --data-dir.`,
    { details: { path } },
  );
}

function notOurs(dataDir: string): PmlError {
  return new PmlError(
    'DATA_DIR_REFUSED',
    `PML did not make the data directory ${dataDir} for you on this machine, so its runs and capabilities may belong to another user. If it is yours, take it over with \`pml trust --adopt-data\` (add the same --config); otherwise remove it or set another "dataDir".`,
    { details: { path: dataDir } },
  );
}

function unusable(path: string, error: unknown): PmlError {
  return new PmlError(
    'DATA_DIR_REFUSED',
    `PML cannot write to the data directory ${path}: ${messageOf(error)}. Make it writable for you, or choose another one with "dataDir" or --data-dir.`,
    { cause: error, details: { path } },
  );
}
