import type { SandboxReply, TaskId } from '../core/index.js';
import type { Replay } from './replay.js';

export interface OldAnswersPorts {
  /** The answer to a call that has ended. */
  readonly answer: (id: TaskId) => Promise<SandboxReply>;
  readonly onFailed: (error: unknown) => void;
}

/**
 * Gives a script that is executed again the answers it got before, in the order in which it got them.
 * Everything new waits until the last of them is given.
 */
export class OldAnswers {
  readonly #replay: Replay;
  readonly #ports: OldAnswersPorts;
  readonly #asked = new Map<TaskId, (reply: SandboxReply) => void>();
  readonly #waiting: (() => void)[] = [];
  #giving: Promise<void> = Promise.resolve();

  constructor(replay: Replay, ports: OldAnswersPorts) {
    this.#replay = replay;
    this.#ports = ports;
  }

  /** The answer to an earlier call that had one, when its turn comes. */
  give(id: TaskId): Promise<SandboxReply> {
    const reply = new Promise<SandboxReply>((resolve) => this.#asked.set(id, resolve));
    // One after the other: their order is what the script goes by.
    this.#giving = this.#giving
      .then(() => this.#giveAll())
      .catch((error: unknown) => this.#ports.onFailed(error));
    return reply;
  }

  /** Resolves when the script has made and heard again all it did before. */
  allGiven(): Promise<void> {
    return new Promise<void>((go) => this.#waiting.push(go));
  }

  /** Resolves when an answer that is new may be given. */
  async caughtUp(): Promise<void> {
    if (!this.#replay.isOver) await this.allGiven();
    await this.#giving;
  }

  /** Lets everything new go on if the last old call was made and answered. */
  letGo(): void {
    if (this.#replay.isOver) for (const go of this.#waiting.splice(0)) go();
  }

  async #giveAll(): Promise<void> {
    for (let id = this.#replay.take(); id !== undefined; id = this.#replay.take()) {
      const resolve = this.#asked.get(id);
      this.#asked.delete(id);
      resolve?.(await this.#ports.answer(id));
    }
    this.letGo();
  }
}
