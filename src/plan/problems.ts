import { closestWord, isJsonObject, PmlError, type TaskId } from '../core/index.js';

const SHOWN = 20;

/** Collects what is wrong with a request, so that all of it can be said at once. */
export class Problems {
  readonly #found: string[] = [];

  add(path: string, problem: string): void {
    this.#found.push(`${path}: ${problem}`);
  }

  expected(path: string, what: string, got: unknown): void {
    this.add(path, `expected ${what}, got ${describe(got)}`);
  }

  unknownTask(path: string, name: string, known: ReadonlySet<TaskId>): void {
    const meant = closestWord(name, known);
    this.add(path, `no task \`${name}\`${meant ? `; did you mean \`${meant}\`?` : ''}`);
  }

  throwIfAny(): void {
    if (this.#found.length === 0) return;
    const shown = this.#found.slice(0, SHOWN);
    const more = this.#found.length - shown.length;
    if (more > 0) shown.push(`… and ${more} more`);
    throw new PmlError('PLAN_INVALID', shown.join('\n'), { details: { problems: shown } });
  }
}

function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'an array';
  if (isJsonObject(value)) return 'an object';
  const text = JSON.stringify(value) ?? typeof value;
  return `\`${text.length > 60 ? `${text.slice(0, 60)}…` : text}\``;
}
