import type { JSValueHandle, QuickJS } from 'quickjs-wasi';

import type { SandboxLimit, SandboxLimits } from '../core/index.js';
import type { GuestBudget } from './guest-budget.js';
import type { GuestBody } from './guest-input.js';
import { GuestValues, OutOfMemory } from './guest-values.js';
import type { GuestDoor } from './guest/prelude.js';
import type { Beginning } from './guest/primordials.js';
import type { ReplyMessage, StartMessage } from './messages.js';

/** One line stands before the script; error positions do not count it. */
const WRAPPER = ['(async function () {\n', '\n})'] as const;
/** What the engine's memory may exceed the script's limit by: its own tables, and gaps. */
const ENGINE_BYTES = 48 * 1024 * 1024;
/** What `next` of the guest returns when no call or timer is pending. */
const NOTHING_COMES = -2;
/** The header of a frame, and the description of an error. */
const FRAME_BYTES = 64 * 1024;

export type GuestState =
  | { readonly status: 'idle' | 'ended' }
  /** Waits for calls, and for a timer if one is `due`. */
  | { readonly status: 'waiting'; readonly due: number | undefined }
  | { readonly status: 'stopped'; readonly limit: SandboxLimit };

export interface GuestSurroundings {
  /** The compiled code that sets up the globals of a guest. */
  readonly prelude: Uint8Array;
  readonly clock: { ms: number };
  readonly budget: GuestBudget;
  /** `content` is in the engine's memory and must not be kept. */
  readonly post: (content: Uint8Array) => void;
}

/** What a script gets instead of a value that the engine cannot read. */
const UNREADABLE = {
  name: 'Error',
  message: 'the answer cannot be given to a script: it is nested too deeply',
  code: 'CALL_FAILED',
};

type Door = Readonly<Record<keyof GuestDoor, JSValueHandle>>;

/** One script in one instance of the engine. A failed instance is never reused. */
export class GuestVm {
  readonly #vm: QuickJS;
  readonly #surroundings: GuestSurroundings;
  readonly #door: Door;
  readonly #values: GuestValues;
  #frameBytes = Infinity;
  #memoryBytes = Infinity;
  #isRunning = false;

  constructor(vm: QuickJS, surroundings: GuestSurroundings) {
    this.#vm = vm;
    this.#surroundings = surroundings;
    this.#values = new GuestValues(vm);
    const make = vm.evalBytecode(surroundings.prelude);
    const door = vm.callFunction(make, vm.undefined, this.#createWay());
    const names = ['begin', 'run', 'reply', 'tick', 'next', 'fail'] as const;
    this.#door = Object.fromEntries(names.map((name) => [name, door.getProp(name)])) as Door;
  }

  start(message: StartMessage, args: GuestBody): GuestState {
    const { limits } = message;
    this.#isRunning = true;
    this.#frameBytes = limits.outputBytes + FRAME_BYTES;
    this.#memoryBytes = limits.memoryBytes;
    this.#values.memoryBytes = limits.memoryBytes;
    this.#vm._getExports().qjs_set_memory_limit(limits.memoryBytes);
    this.#surroundings.budget.begin(limits, limits.memoryBytes + ENGINE_BYTES);
    return this.#proceed(() => {
      const beginning = this.#vm.hostToHandle(beginningOf(message, limits));
      const given = this.#values.parse(args);
      if (given === undefined) throw new RangeError('stack overflow');
      this.#call('begin', beginning, given);
      this.#run(message.source);
    });
  }

  reply({ id, ok, now }: ReplyMessage, body: GuestBody): GuestState {
    // The script that made the call has ended: drop the result.
    if (!this.#isRunning) return { status: 'idle' };
    return this.#proceed(() => {
      const vm = this.#vm;
      const value = this.#values.parse(body);
      const isOk = ok && value !== undefined;
      const given = value ?? vm.hostToHandle(UNREADABLE);
      const values = [vm.newNumber(id), isOk ? vm.true : vm.false, given] as const;
      this.#call('reply', ...values, vm.newNumber(now));
      for (const value of values) value.dispose();
    });
  }

  /** Timers that are due by then go off. */
  tick(now: number): GuestState {
    if (!this.#isRunning) return { status: 'idle' };
    return this.#proceed(() => void this.#call('tick', this.#vm.newNumber(now)));
  }

  dispose(): void {
    this.#isRunning = false;
    this.#vm.dispose();
  }

  #run(source: string): void {
    let main: JSValueHandle;
    try {
      main = this.#vm.evalCode(WRAPPER[0] + source + WRAPPER[1], 'script.js');
    } catch (error) {
      // Not a program: the guest has the engine's message for it.
      const { handle } = error as { handle?: JSValueHandle };
      if (handle === undefined) throw error;
      this.#call('fail', handle);
      return;
    }
    if (main.isFunction) this.#call('run', main);
    else this.#call('fail', this.#vm.newError('the script is not the body of a function'));
    main.dispose();
  }

  /** Does something in the guest, then runs it until it waits or has ended. */
  #proceed(act: () => void): GuestState {
    const { budget } = this.#surroundings;
    budget.startTurn();
    try {
      act();
      const waiting = this.#settle();
      if (waiting && budget.stopped === undefined) return waiting;
    } catch (error) {
      budget.stop(limitOf(error));
    } finally {
      budget.endTurn();
    }
    this.#isRunning = false;
    if (budget.stopped === undefined) return { status: 'ended' };
    return { status: 'stopped', limit: budget.stopped };
  }

  /** What the script waits for, if it does. */
  #settle(): Extract<GuestState, { status: 'waiting' }> | undefined {
    const { budget } = this.#surroundings;
    for (;;) {
      this.#vm.executePendingJobs();
      if (budget.hasEnded || budget.stopped !== undefined) return undefined;
      const progress = this.#call('next');
      if (progress === 0) continue;
      if (budget.hasEnded || budget.stopped !== undefined) return undefined;
      if (progress !== NOTHING_COMES)
        return { status: 'waiting', due: progress > 0 ? progress : undefined };
      budget.stop(this.#isMemoryShort() ? 'memory' : 'deadlock');
      return undefined;
    }
  }

  /** A script that lacked the memory to report its end looks like one that waits. */
  #isMemoryShort(): boolean {
    return this.#vm.getMemoryUsage().mallocSize > 0.9 * this.#memoryBytes;
  }

  #call(name: keyof GuestDoor, ...args: readonly JSValueHandle[]): number {
    const result = this.#vm.callFunction(this.#door[name], this.#vm.undefined, ...args);
    const number = result.isNumber ? result.toNumber() : 0;
    result.dispose();
    return number;
  }

  #createWay(): JSValueHandle {
    const vm = this.#vm;
    const { budget, clock, post } = this.#surroundings;
    const way = vm.newObject();
    // These functions must not throw: the guest would see the stack of this process.
    const functions: Readonly<Record<string, (value: JSValueHandle | undefined) => JSValueHandle>> =
      {
        post: (value) => (this.#send(value, post), vm.undefined),
        finish: (value) => {
          if (this.#send(value, post)) budget.end();
          return vm.undefined;
        },
        setClock: (value) => {
          if (value?.isNumber) clock.ms = value.toNumber();
          return vm.undefined;
        },
        elapsed: () => vm.newNumber(performance.now()),
      };
    for (const [name, run] of Object.entries(functions))
      way.setProp(
        name,
        vm.newFunction(name, (value?: JSValueHandle) => run(value)),
      );
    return way;
  }

  #send(value: JSValueHandle | undefined, post: (content: Uint8Array) => void): boolean {
    const { budget } = this.#surroundings;
    if (budget.hasEnded || budget.stopped !== undefined || !value?.isString) return false;
    const hasMemory = this.#values.use(value, (content) => {
      if (content.length > this.#frameBytes) budget.stop('output');
      else post(content);
    });
    if (!hasMemory) budget.stop('memory');
    return budget.stopped === undefined;
  }
}

function beginningOf({ seed, now }: StartMessage, limits: SandboxLimits): Beginning {
  const { calls, logLines, outputBytes } = limits;
  return { seed, now, calls, logLines, outputBytes };
}

/** The resource that an instance ran out of when it failed as a whole. */
function limitOf(error: unknown): SandboxLimit {
  const text = String(error);
  if (error instanceof OutOfMemory || /out of memory|malloc failed/.test(text)) return 'memory';
  return /call stack|stack overflow/.test(text) ? 'stack' : 'crash';
}
