/** Where things stand in the memory of a kernel, counted in its numbers. */
export interface KernelTask {
  readonly query: number;
  readonly matrix: number;
  readonly rows: number;
  /** Numbers of the query and of each row: a multiple of what one SIMD register holds. */
  readonly width: number;
  /** Gets one product a row, each a float; four bytes go into a whole number of them. */
  readonly out: number;
}

/** What a vector may be made of. */
export type KernelNumbers = Float32Array | Int8Array;

/** Multiplies one vector with many. */
export interface Kernel<Numbers extends KernelNumbers> {
  /** `plain` where the engine has no WebAssembly SIMD or gives it no memory. */
  readonly kind: 'simd' | 'plain';
  /** The memory the kernel works in, zero at first. `reserve` replaces it and keeps what it holds. */
  readonly numbers: Numbers;
  /** Makes room for at least so many numbers. */
  reserve(count: number): void;
  multiply(task: KernelTask): void;
}

export interface KernelCode<Numbers extends KernelNumbers> {
  /** The bytes of a WebAssembly module in hexadecimal; what follows `;;` is a comment. */
  readonly code: string;
  readonly view: (memory: ArrayBuffer) => Numbers;
}

/** What we use of the global `WebAssembly`, which has no types outside the DOM library. */
interface WasmEngine {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: object };
}

interface DotExports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  /** Addresses in bytes, `width` in numbers. */
  dots(query: number, row: number, rows: number, width: number, out: number): void;
}

const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;
const PAGE_BYTES = 65_536;

export function createKernel<Numbers extends KernelNumbers>(
  { code, view }: KernelCode<Numbers>,
  engine: WasmEngine | undefined = globalEngine(),
): Kernel<Numbers> {
  const exports = engine && instantiate(engine, code);
  return exports ? new SimdKernel(exports, view) : new PlainKernel(view);
}

function globalEngine(): WasmEngine | undefined {
  return (globalThis as { WebAssembly?: WasmEngine }).WebAssembly;
}

/** Undefined where the engine cannot run it. */
function instantiate({ Module, Instance }: WasmEngine, text: string): DotExports | undefined {
  const bytes = text.replaceAll(/;;.*/g, '').trim().split(/\s+/);
  const code = Uint8Array.from(bytes, (hex) => Number.parseInt(hex, 16));
  try {
    return new Instance(new Module(code)).exports as DotExports;
  } catch {
    // No SIMD, or no address space left to reserve: the plain kernel answers the same, but for rounding.
    return undefined;
  }
}

class SimdKernel<Numbers extends KernelNumbers> implements Kernel<Numbers> {
  readonly kind = 'simd';
  readonly #exports: DotExports;
  readonly #view: (memory: ArrayBuffer) => Numbers;
  #numbers: Numbers;

  constructor(exports: DotExports, view: (memory: ArrayBuffer) => Numbers) {
    this.#exports = exports;
    this.#view = view;
    this.#numbers = view(exports.memory.buffer);
  }

  get numbers(): Numbers {
    return this.#numbers;
  }

  reserve(count: number): void {
    const missing = (count - this.#numbers.length) * this.#numbers.BYTES_PER_ELEMENT;
    if (missing <= 0) return;
    const { memory } = this.#exports;
    memory.grow(Math.ceil(missing / PAGE_BYTES));
    this.#numbers = this.#view(memory.buffer);
  }

  multiply({ query, matrix, rows, width, out }: KernelTask): void {
    const size = this.#numbers.BYTES_PER_ELEMENT;
    this.#exports.dots(query * size, matrix * size, rows, width, out * size);
  }
}

class PlainKernel<Numbers extends KernelNumbers> implements Kernel<Numbers> {
  readonly kind = 'plain';
  readonly #view: (memory: ArrayBuffer) => Numbers;
  #numbers: Numbers;

  constructor(view: (memory: ArrayBuffer) => Numbers) {
    this.#view = view;
    this.#numbers = view(new ArrayBuffer(0));
  }

  get numbers(): Numbers {
    return this.#numbers;
  }

  reserve(count: number): void {
    const { length, BYTES_PER_ELEMENT } = this.#numbers;
    if (count <= length) return;
    const floats = Math.ceil((count * BYTES_PER_ELEMENT) / FLOAT_BYTES);
    const larger = this.#view(new ArrayBuffer(floats * FLOAT_BYTES));
    larger.set(this.#numbers);
    this.#numbers = larger;
  }

  multiply({ query, matrix, rows, width, out }: KernelTask): void {
    const numbers = this.#numbers;
    const products = floatsIn(numbers, out, rows);
    for (let row = 0; row < rows; row++) {
      const start = matrix + row * width;
      let sum = 0;
      for (let i = 0; i < width; i++) sum += numbers[query + i]! * numbers[start + i]!;
      products[row] = sum;
    }
  }
}

/** Floats that begin where a number of the memory is. */
export function floatsIn(numbers: KernelNumbers, start: number, count: number): Float32Array {
  const { buffer, BYTES_PER_ELEMENT } = numbers;
  return new Float32Array(buffer, start * BYTES_PER_ELEMENT, count);
}
