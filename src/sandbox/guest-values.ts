import type { JSValueHandle, QuickJS } from 'quickjs-wasi';

import type { GuestBody } from './guest-input.js';
import type { EngineMemory } from './guest-wasi.js';

const LARGE_TEXT_BYTES = 512 * 1024;
/** Engine memory that values need per byte of their text while they are created. */
const BYTES_PER_BYTE = 8;
/** What remains of that once they are there. */
const LASTING_BYTES_PER_BYTE = 5;
/** The name of a text in the engine's errors. */
const TEXT_NAME = 'json\0';
const TOO_DEEP = 'Maximum call stack size exceeded';

/** The engine's own reader of JSON. A value of the engine is 64 bits wide. */
interface MoreExports {
  JS_ParseJSON(context: number, text: number, length: number, name: number): bigint;
}

/** JSON and texts between this process and the memory of the engine, without a copy in between. */
export class GuestValues {
  readonly #vm: QuickJS;
  readonly #name: number;
  readonly #length: number;
  /** What a script may use. */
  memoryBytes = Infinity;

  constructor(vm: QuickJS) {
    this.#vm = vm;
    this.#name = this.#allocate(TEXT_NAME.length);
    this.#length = this.#allocate(4);
    Buffer.from(this.#memory).write(TEXT_NAME, this.#name);
  }

  /** The value of JSON that is read into the engine's memory; nothing if it nests too deep. */
  parse(json: GuestBody): JSValueHandle | undefined {
    const engine = this.#vm._getExports();
    // The types of the package leave this function out.
    const more = engine as unknown as MoreExports;
    const start = this.#allocate(json.length + 1);
    const text = new Uint8Array(this.#memory, start, json.length + 1);
    json.readInto(text.subarray(0, json.length));
    text[json.length] = 0;
    this.#leaveRoom(json.length);
    // A number holds no memory of its own: any other value can take its place.
    const value = this.#vm.newNumber(0);
    const parsed = more.JS_ParseJSON(engine.qjs_get_context_ptr(), start, json.length, this.#name);
    new DataView(this.#memory).setBigInt64(value.ptr, parsed, true);
    engine.wasm_free(start);
    if (engine.qjs_is_exception(value.ptr) === 0) return value;
    this.#expectTooDeep();
    return undefined;
  }

  /** The bytes of a text; nothing if the engine lacks the memory for them. `use` must not keep them. */
  use(text: JSValueHandle, use: (utf8: Uint8Array) => void): boolean {
    const engine = this.#vm._getExports();
    const start = engine.qjs_get_string_len(text.ptr, this.#length);
    if (start === 0) return false;
    const length = new DataView(this.#memory).getUint32(this.#length, true);
    try {
      use(new Uint8Array(this.#memory, start, length));
    } finally {
      engine.qjs_free_cstring(start);
    }
    return true;
  }

  get #memory(): ArrayBuffer {
    return (this.#vm._getExports().memory as EngineMemory).buffer;
  }

  #allocate(bytes: number): number {
    const start = this.#vm._getExports().wasm_malloc(bytes);
    if (start === 0) throw new OutOfMemory();
    return start;
  }

  /**
   * Values made from a large text stay in use: the collector would only scan them repeatedly. Their
   * memory is claimed at once, because each of many small claims costs more than its bytes.
   */
  #leaveRoom(textBytes: number): void {
    if (textBytes < LARGE_TEXT_BYTES) return;
    const most = this.memoryBytes / 2;
    const size = this.#memory.byteLength;
    const wanted = size + textBytes * BYTES_PER_BYTE;
    this.#vm.gcThreshold = Math.max(this.#vm.gcThreshold, Math.min(wanted, most));
    const claimed = textBytes * LASTING_BYTES_PER_BYTE;
    if (size + claimed > most) return;
    const engine = this.#vm._getExports();
    const start = engine.wasm_malloc(claimed);
    if (start !== 0) engine.wasm_free(start);
  }

  /** Our JSON is correct, so there are two ways to fail. */
  #expectTooDeep(): void {
    const error = this.#vm.getException();
    const message = error.isObject ? error.getProp('message') : undefined;
    if (message?.isString !== true || message.toString() !== TOO_DEEP) throw new OutOfMemory();
  }
}

export class OutOfMemory extends Error {}
