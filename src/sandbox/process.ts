import type { ChildProcess } from 'node:child_process';

import { messageOf } from '../core/index.js';
import { FrameReader } from './frame-reader.js';
import { encodeFrame, type Frame } from './frames.js';
import type { ToProcess } from './messages.js';
import { type FromProcess, readFrame } from './read-frame.js';

/** The header of a frame, and the description of an error. */
const FRAME_BYTES = 64 * 1024;
const START_MS = 20_000;
/** How long each stage of termination may take before the next. */
const END_STAGE_MS = 500;
const MOST_ERROR_CHARACTERS = 2_000;
/** One read brings hundreds of calls; what follows from all of them would hold the loop for long. */
const FRAMES_PER_TURN = 24;

/** Receives the messages of a process while it runs the listener's script. */
export interface Listener {
  onMessage(message: FromProcess): void;
  /** The process is gone, or violates the protocol and is being killed. */
  onEnded(why: string): void;
}

/** A sandbox process: starting, ready, running a script, or gone. */
export class GuestProcess {
  readonly #child: ChildProcess;
  readonly #reader: FrameReader;
  readonly #onReady: (guest: GuestProcess) => void;
  readonly #onGone: (guest: GuestProcess, why: string) => void;
  readonly #exited: Promise<void>;
  #listener: Listener | undefined;
  #deadline: NodeJS.Timeout | undefined;
  #errorText = '';
  #why: string | undefined;
  #isKilled = false;
  #isReady = false;

  constructor(
    child: ChildProcess,
    onReady: (guest: GuestProcess) => void,
    onGone: (guest: GuestProcess, why: string) => void,
  ) {
    this.#child = child;
    this.#onReady = onReady;
    this.#onGone = onGone;
    this.#reader = new FrameReader(
      (frame) => this.#receive(frame),
      (why) => this.#violate(why),
    );
    this.#reader.mostBytes = FRAME_BYTES;
    child.stdout?.on('data', (chunk: Buffer) => {
      this.#reader.push(chunk);
      this.#takeSome();
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#errorText = (this.#errorText + String(chunk)).slice(0, MOST_ERROR_CHARACTERS);
    });
    // Writing to a dead process fails; `exit` reports its end.
    child.stdin?.on('error', () => {});
    this.#exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.#reader.take();
        this.#gone(signal ?? `code ${code}`);
        resolve();
      });
      child.once('error', (error) => {
        this.#gone(messageOf(error));
        if (child.pid === undefined) resolve();
      });
    });
    this.#expect(START_MS);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Or about to be: messages of a killed process are ignored, above all that it is ready. */
  get isGone(): boolean {
    return this.#why !== undefined || this.#isKilled;
  }

  /** The standard error output of the process, to diagnose why it ended. */
  get errorText(): string {
    return this.#errorText;
  }

  begin(outputBytes: number, listener: Listener): void {
    this.#isReady = false;
    this.#listener = listener;
    this.#reader.mostBytes = outputBytes + FRAME_BYTES;
  }

  send(header: ToProcess, body: string): void {
    if (this.isGone) return;
    this.#child.stdin?.write(encodeFrame('process', JSON.stringify(header), body));
  }

  /** The script is over; later messages about it are ignored. */
  expectReady(withinMs: number): void {
    this.#listener = undefined;
    this.#expect(withinMs);
  }

  kill(): void {
    this.#isKilled = true;
    this.#child.kill('SIGKILL');
  }

  /** Whether this sandbox process keeps the parent process alive. */
  setNeeded(isNeeded: boolean): void {
    // The pipe of a child is a socket, which the types do not declare.
    type Counted = { ref?: () => void; unref?: () => void } | null;
    const parts = [this.#child, this.#child.stdin, this.#child.stdout, this.#child.stderr];
    for (const part of parts as unknown as Counted[]) {
      if (isNeeded) part?.ref?.();
      else part?.unref?.();
    }
  }

  /** Terminates it in stages; resolves when it is gone. */
  async end(): Promise<void> {
    this.setNeeded(true);
    this.#child.stdin?.end();
    const stages = [
      setTimeout(() => this.#child.kill('SIGTERM'), END_STAGE_MS),
      setTimeout(() => this.#child.kill('SIGKILL'), 2 * END_STAGE_MS),
    ];
    await this.#exited;
    for (const stage of stages) clearTimeout(stage);
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }

  #expect(withinMs: number): void {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.kill(), withinMs);
    this.#deadline.unref();
  }

  /** Reads on when the frames so far were heard, so that few of them are held here. */
  #takeSome(): void {
    if (this.#reader.take(FRAMES_PER_TURN)) {
      this.#child.stdout?.pause();
      setImmediate(() => this.#takeSome());
    } else if (this.#child.stdout?.isPaused()) this.#child.stdout.resume();
  }

  #receive(frame: Frame): void {
    // More data may have arrived with the frame that ended it.
    if (this.isGone) return;
    const message = readFrame(frame);
    if (message === undefined) return this.#violate('a frame that is not understood');
    if (message.type !== 'ready' || this.#listener !== undefined)
      return this.#listener?.onMessage(message);
    if (this.#isReady) return this.#violate('ready twice');
    clearTimeout(this.#deadline);
    this.#reader.mostBytes = FRAME_BYTES;
    this.#isReady = true;
    this.#onReady(this);
  }

  /** The state of such a process is unknown: all its messages are ignored from now on. */
  #violate(why: string): void {
    this.kill();
    this.#gone(`it sent ${why}`);
  }

  #gone(why: string): void {
    if (this.#why !== undefined) return;
    this.#why = why;
    clearTimeout(this.#deadline);
    const listener = this.#listener;
    this.#listener = undefined;
    listener?.onEnded(why);
    this.#onGone(this, why);
  }
}
