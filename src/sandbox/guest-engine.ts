/** The engine: QuickJS as WASM, an instance of its own for each script. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

import type * as Engine from 'quickjs-wasi';

import { GuestBudget } from './guest-budget.js';
import { GuestVm } from './guest-vm.js';
import { createGuestWasi, type EngineMemory } from './guest-wasi.js';
import { preludeText } from './guest/prelude.js';

/** Of the engine's own stack; V8's, on which it lies, is made larger where the process is started. */
const STACK_BYTES = 256 * 1024;
/** The collector looks for cycles from here on: below, a large answer would be walked many times. */
const COLLECT_FROM_BYTES = 16 * 1024 * 1024;

export interface GuestOutput {
  /** `content` is in the engine's memory and must not be kept. */
  readonly post: (content: Uint8Array) => void;
  /** Sends what was posted: others can work on it while the script computes on. */
  readonly flush: () => void;
}

/** `binaries` are the engine and its extensions. */
export async function loadEngine(
  url: string,
  [main = '', ...extensions]: readonly string[],
  { post, flush }: GuestOutput,
): Promise<{ createGuest(): Promise<GuestVm> }> {
  const engine = (await import(url)) as typeof Engine;
  const wasm = await compile(main);
  const loaded = await Promise.all(
    extensions.map(async (path) => ({
      name: basename(path, '.so'),
      wasm: await compile(path),
    })),
  );
  let prelude: Uint8Array | undefined;

  async function createGuest(): Promise<GuestVm> {
    const clock = { ms: 0 };
    let memory: EngineMemory | undefined;
    const budget = new GuestBudget(() => memory?.buffer.byteLength ?? 0);
    const vm = await engine.QuickJS.create({
      wasm,
      extensions: loaded,
      maxStackSize: STACK_BYTES,
      timezoneOffset: 0,
      interruptHandler: () => {
        flush();
        return budget.isUsedUp();
      },
      wasi: (own: EngineMemory) => {
        memory = own;
        return createGuestWasi(own, clock);
      },
    });
    vm.gcThreshold = COLLECT_FROM_BYTES;
    prelude ??= vm.compile(preludeText(), 'pml', 0, engine.CompileFlags.STRIP_SOURCE);
    return new GuestVm(vm, { prelude, clock, budget, post });
  }
  return { createGuest };
}

/** The global `WebAssembly` has no types outside the DOM library. */
function compile(path: string): Promise<Engine.QuickJSOptions['wasm']> {
  type Compiler = { compile(bytes: Uint8Array): Promise<Engine.QuickJSOptions['wasm']> };
  const { WebAssembly } = globalThis as unknown as { WebAssembly: Compiler };
  return WebAssembly.compile(readFileSync(path));
}
