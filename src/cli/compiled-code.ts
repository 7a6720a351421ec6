/**
 * Keeps what V8 compiled of a command in `dist/compiled` and gives it to the next start, because
 * compiling takes a good part of the time of a quick command. The file lies beside the code and is of
 * the same build: another user who could change it could change the code. Without a right to write
 * there, each start compiles.
 *
 * V8 crashes on code that was damaged on disk. So the file holds everything twice, and counts only if
 * both halves are equal: comparing them is native and takes a tenth of the time of loading a checksum.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { Module } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';

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
const QUICK = 'quick';
const IMPORT = /(?<![\w.$])import\(/;
/** Bytes before the list of parts, which say how long the list is. */
const LENGTH_BYTES = 4;

export interface CompiledCodeOptions {
  /** The command. */
  readonly name: string;
  /** Changes with the code. */
  readonly build: string;
  /** The folder of the code. */
  readonly dist: string;
}

/** Lets this start reuse the code of the last one, and the next start that of this one. */
export function reuseCompiledCode({ name, build, dist }: CompiledCodeOptions): void {
  const version = `${build}-${process.version}-${process.arch}`;
  const path = join(dist, 'compiled', `${name}-${version}`);
  const known = readParts(path);
  const scripts = new Map<string, Script>();
  let isComplete = true;
  // The edge to the loader of Node, which has had this method since its first version.
  const loader = Module.prototype as unknown as Loader;
  const compile = loader._compile;
  loader._compile = function (source, file) {
    // Scripts that are made here cannot load modules.
    const isOurs = basename(dirname(file)) === QUICK && !IMPORT.test(source);
    if (!isOurs) return compile.call(this, source, file);
    const part = basename(file);
    const cachedData = known.get(part);
    const script = new Script(WRAPPER.join(source), {
      filename: file,
      ...(cachedData && { cachedData }),
    });
    if (!cachedData || script.cachedDataRejected) isComplete = false;
    scripts.set(part, script);
    const wrapped = script.runInThisContext() as Wrapped;
    const require = (id: string) => this.require(id);
    return wrapped.call(this.exports, this.exports, require, this, file, dirname(file));
  };
  process.once('exit', () => {
    if (!isComplete) writeParts(path, scripts);
  });
}

function readParts(path: string): ReadonlyMap<string, Buffer> {
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

function writeParts(path: string, scripts: ReadonlyMap<string, Script>): void {
  const parts = [...scripts].map(([part, script]) => [part, script.createCachedData()] as const);
  const list = Buffer.from(JSON.stringify(parts.map(([part, data]) => [part, data.length])));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(list.length);
  const draft = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    const half = [length, list, ...parts.map(([, data]) => data)];
    writeFileSync(draft, Buffer.concat([...half, ...half]));
    renameSync(draft, path);
  } catch {
    // The folder belongs to another user, or the disk is full: commands only start slower.
  }
}
