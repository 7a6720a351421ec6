import type { SandboxLine, SandboxOperation, ToolId, TracedOperation } from '../core/index.js';
import type { ReadyCode } from './script-ports.js';

const MOST_LINES = 200;
const MOST_OPERATIONS = 500;
/** A task that runs a script is one of many: each of them gets this share of the limits. */
const NESTED_SHARE = 0.25;

/** What a script printed and computed, up to a limit. */
export class ScriptNotes {
  readonly #share: number;
  readonly #lines: SandboxLine[] = [];
  readonly #operations: SandboxOperation[] = [];
  /** The places of the script's calls that became tasks. */
  readonly #called: number[] = [];

  constructor({ isNested }: { readonly isNested: boolean }) {
    this.#share = isNested ? NESTED_SHARE : 1;
  }

  get lines(): readonly SandboxLine[] {
    return this.#lines;
  }

  log(line: SandboxLine): void {
    if (this.#lines.length < MOST_LINES * this.#share) this.#lines.push(line);
  }

  operated(operations: readonly SandboxOperation[]): void {
    const room = MOST_OPERATIONS * this.#share - this.#operations.length;
    this.#operations.push(...operations.slice(0, room));
  }

  called(place: number): void {
    this.#called.push(place);
  }

  /** The operations, each after the calls of the script that became tasks before it. */
  traced({ operations }: ReadyCode): readonly TracedOperation[] {
    return this.#operations.map(({ site, afterCall: calls, ...counts }) => {
      const { operation = 'code:unknown', line = 0 } = operations[site] ?? {};
      const afterCall = this.#called.filter((call) => call <= calls).length;
      return { operation: operation as ToolId, line, ...counts, afterCall };
    });
  }
}
