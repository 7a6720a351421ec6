import { parseSync } from 'oxc-parser';
import { transformSync } from 'oxc-transform';

/** Runs prepared code in this process, as the sandbox does in its own: for comparing only. */
export interface ScriptGlobals {
  readonly mcp?: unknown;
  readonly cap?: unknown;
  readonly load?: unknown;
  readonly args?: unknown;
  readonly console?: unknown;
}

export type Operate = (
  site: number,
  receiver: unknown,
  name: string,
  ...args: unknown[]
) => unknown;

/** Does what an operation does and nothing else. */
export const operate: Operate = (_site, receiver, name, ...args) =>
  (receiver as Record<string, (...given: unknown[]) => unknown>)[name]!(...args);

const NAMES = ['mcp', 'cap', 'load', 'args', 'console'] as const;

export function runScript(
  body: string,
  globals: ScriptGlobals = {},
  op: Operate = operate,
): Promise<unknown> {
  // oxlint-disable-next-line typescript/no-implied-eval -- running a text is the point
  const build = new Function(
    ...NAMES,
    '__op',
    `'use strict'; return (async () => {\n${body}\n})();`,
  ) as (...given: unknown[]) => Promise<unknown>;
  return build(...NAMES.map((name) => globals[name]), op);
}

/** A script as a compiler would make it JavaScript: what prepared code is held against. */
export function compileScript(text: string): string {
  const { code, errors } = transformSync('script.ts', `async function script() {\n${text}\n}`);
  if (errors.length > 0) throw new Error(errors.map((one) => one.message).join('\n'));
  const [script] = parseSync('script.js', code).program.body;
  const statements = script?.type === 'FunctionDeclaration' ? (script.body?.body ?? []) : [];
  const last = statements.findLast(
    (one) => one.type !== 'FunctionDeclaration' && one.type !== 'EmptyStatement',
  );
  const result = last?.type === 'ExpressionStatement' ? last.start : undefined;
  const body = result === undefined ? code : `${code.slice(0, result)}return ${code.slice(result)}`;
  return `${body}\nreturn script();`;
}
