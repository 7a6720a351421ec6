/**
 * Keeps what V8 compiled of a command in `dist/compiled` and gives it to the next start, because
 * compiling takes a good part of the time of a start. The file lies beside the code and is of the same
 * build: another user who could change it could change the code. Without a right to write there, each
 * start compiles.
 *
 * V8 crashes on code that was damaged on disk. So the file holds everything twice, and counts only if
 * both halves are equal: comparing them is native and takes a tenth of the time of loading a checksum.
 */
import { mkdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { Module } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { constants, Script } from 'node:vm';

/** What the loader of Node calls for each file; its types leave it out. */
interface LoadedModule {
  readonly exports: unknown;
  require(id: string): unknown;
}
interface Loader {
  _compile: (this: LoadedModule, source: string, path: string) => unknown;
}
type Wrapped = (...scope: readonly unknown[]) => unknown;

const WRAPPER = ['(function (exports, require, module, __filename, __dirname) { ', '\n})'] as const;
/** Whatever the umask: no other user may put code there. */
const FOLDER_MODE = 0o755;
const FILE_MODE = 0o644;
const LOADER_WARNING = 'vm.USE_MAIN_CONTEXT_DEFAULT_LOADER';
/** Bytes before the list of parts, which say how long the list is. */
const LENGTH_BYTES = 4;

export interface CompiledCodeOptions {
  /** The command. */
  readonly name: string;
  /** Changes with the code. */
  readonly build: string;
  /** The folder of the code. */
  readonly dist: string;
  /** The folder in `dist` whose files are kept. */
  readonly folder: 'quick' | 'resident';
  /** Flags of V8 that rest until the code is closed, and while it is kept. */
  readonly flags?: { readonly rest: () => void; readonly use: () => void };
}

export interface CompiledCode {
  /** What a start needs is loaded: the flags count, and later files are compiled as usual. */
  readonly close: () => void;
  /** Writes what the next start can reuse, if this one had to compile. Happens at the exit at the latest. */
  readonly keep: () => void;
}

/** Lets this start reuse the code of the last one, and the next start that of this one. */
export function reuseCompiledCode(options: CompiledCodeOptions): CompiledCode {
  const { name, build, dist, folder, flags } = options;
  const version = `${build}-${process.version}-${process.arch}`;
  const path = join(dist, 'compiled', `${name}-${version}`);
  const known = readParts(path);
  const scripts = new Map<string, Script>();
  let isComplete = true;
  silence(LOADER_WARNING);
  // The edge to the loader of Node, which has had this method since its first version.
  const loader = Module.prototype as unknown as Loader;
  const compile = loader._compile;
  loader._compile = function (source, file) {
    if (basename(dirname(file)) !== folder) return compile.call(this, source, file);
    const part = basename(file);
    const cachedData = known.get(part);
    const script = new Script(WRAPPER.join(source), {
      filename: file,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      ...(cachedData && { cachedData }),
    });
    if (!cachedData || script.cachedDataRejected) isComplete = false;
    scripts.set(part, script);
    const wrapped = script.runInThisContext() as Wrapped;
    const require = (id: string) => this.require(id);
    return wrapped.call(this.exports, this.exports, require, this, file, dirname(file));
  };
  let isOpen = true;
  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    loader._compile = compile;
    if (isComplete) known.clear();
    flags?.use();
  };
  const keep = () => {
    process.off('exit', keep);
    close();
    if (!isComplete) {
      flags?.rest();
      // What this start did not need, another may: what a daemon loads depends on its configuration.
      // Another process may have written it meanwhile.
      for (const [part, data] of readParts(path)) if (!scripts.has(part)) known.set(part, data);
      for (const [part, script] of scripts) known.set(part, script.createCachedData());
      flags?.use();
      writeParts(path, known);
    }
    known.clear();
    scripts.clear();
  };
  process.once('exit', keep);
  return { close, keep };
}

/** Node warns once that the way kept code loads modules may change; a user can do nothing about it. */
function silence(start: string): void {
  const warn = process.emitWarning.bind(process) as (...warning: unknown[]) => void;
  process.emitWarning = (...warning: unknown[]) => {
    if (!String(warning[0]).startsWith(start)) warn(...warning);
  };
}

function readParts(path: string): Map<string, Buffer> {
  try {
    const both = readFileSync(path);
    const bytes = both.subarray(0, both.length / 2);
    if (!bytes.equals(both.subarray(bytes.length))) return new Map();
    const start = LENGTH_BYTES + bytes.readUInt32LE();
    const list = JSON.parse(bytes.toString('latin1', LENGTH_BYTES, start)) as [string, number][];
    let at = start;
    return new Map(
      list.map(([part, length]) => [part, bytes.subarray(at, (at += length))] as const),
    );
  } catch {
    return new Map(); // There is none yet, or it is not ours: this start writes it.
  }
}

function writeParts(path: string, parts: ReadonlyMap<string, Buffer>): void {
  const lengths = [...parts].map(([part, data]) => [part, data.length]);
  const list = Buffer.from(JSON.stringify(lengths));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(list.length);
  const draft = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
    const half = [length, list, ...parts.values()];
    writeFileSync(draft, Buffer.concat([...half, ...half]), { mode: FILE_MODE });
    renameSync(draft, path);
  } catch {
    // The folder belongs to another user, or the disk is full: the next start only takes longer.
    discard(draft);
  }
}

function discard(draft: string): void {
  try {
    unlinkSync(draft);
  } catch {
    // It was never there.
  }
}
