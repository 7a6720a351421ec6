import { parseSync } from 'oxc-parser';

import { assertReadable, assertShallowCode } from './assert-readable.js';
import { childrenOf, type Node, type NodeOf } from './ast.js';
import { codeInvalid } from './code-error.js';
import { resolveScopes, type Scopes } from './scopes.js';
import { lineStarts } from './source-text.js';

/** Code that was read once, for all that want to know something of it. */
export interface ParsedCode {
  readonly text: string;
  readonly program: NodeOf<'Program'>;
  readonly scopes: Scopes;
  readonly starts: readonly number[];
  readonly comments: readonly { readonly start: number; readonly end: number }[];
}

/** A script is the body of a function, which the parser cannot know. */
const RETURN_OUTSIDE = "A 'return' statement can only be used within a function body.";

const CALL_TOOLS = 'Call tools as `await mcp.<server>.<tool>({ … })`; nothing can be loaded.';

/** What people reach for, and what is there instead. */
const MISSING: Readonly<Record<string, string>> = {
  require: CALL_TOOLS,
  module: 'End the script with `return value` or with the value itself.',
  exports: 'End the script with `return value` or with the value itself.',
  process: 'There is no process. Parameters are in `args`; secrets belong to the servers.',
  fetch: 'There is no network. Use a tool of a server: `await mcp.<server>.<tool>({ url })`.',
  XMLHttpRequest: 'There is no network. Use a tool: `await mcp.<server>.<tool>({ url })`.',
  WebSocket: 'There is no network. Use a tool: `await mcp.<server>.<tool>({ url })`.',
  Deno: CALL_TOOLS,
  Bun: CALL_TOOLS,
  window: 'There is no browser. Use `globalThis` for names of the language.',
  document: 'There is no browser. Use a tool of a server to read pages.',
  localStorage: 'Nothing is kept between scripts. Return what is needed later.',
  __dirname: 'There are no files. Use a tool of a server: `await mcp.<server>.<tool>({ path })`.',
  __filename: 'There are no files. Use a tool of a server: `await mcp.<server>.<tool>({ path })`.',
};

/** Names the sandbox puts beside the script. */
const RESERVED = new Set(['__op', '__held']);

/** Reads an agent's script: TypeScript in which `await` and `return` work at the top level. */
export function parseCode(text: string): ParsedCode {
  assertReadable(text);
  const { program, errors, comments } = parseSync('script.ts', text, {
    lang: 'ts',
    sourceType: 'module',
    showSemanticErrors: true,
  });
  assertShallowCode(text, program);
  refuseUnsupported(text, program);
  const error = errors.find((one) => one.message !== RETURN_OUTSIDE);
  if (error) {
    const at = error.labels[0]?.start ?? 0;
    throw codeInvalid(text, at, {
      message: error.message,
      hint: hintFor(text, at) ?? error.helpMessage ?? undefined,
    });
  }
  const scopes = resolveScopes(program);
  refuseMissing(text, scopes);
  return { text, program, scopes, comments, starts: lineStarts(text) };
}

const MODULE_SYNTAX = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportDefaultDeclaration',
  'ExportAllDeclaration',
  'TSExportAssignment',
  'TSImportEqualsDeclaration',
]);

function moduleSyntaxError(text: string, node: Node): Error {
  return node.type.includes('Import')
    ? codeInvalid(text, node.start, { message: 'A script cannot import.', hint: CALL_TOOLS })
    : codeInvalid(text, node.start, {
        message: 'A script cannot export.',
        hint: 'End the script with `return value` or with the value itself.',
      });
}

function hintFor(text: string, at: number): string | undefined {
  const rest = text.slice(at);
  if (/^import\b/.test(rest)) return CALL_TOOLS;
  if (/^export\b/.test(rest)) return 'End the script with `return value`.';
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at).trimStart();
  if (line.startsWith('{')) return 'To give back an object write `return { … }`.';
  return undefined;
}

function refuseUnsupported(text: string, node: Node): void {
  if (MODULE_SYNTAX.has(node.type)) throw moduleSyntaxError(text, node);
  if (node.type === 'ImportExpression') {
    throw codeInvalid(text, node.start, { message: 'A script cannot import.', hint: CALL_TOOLS });
  }
  if (node.type === 'MetaProperty' && node.meta.name === 'import') {
    throw codeInvalid(text, node.start, { message: 'A script has no `import.meta`.' });
  }
  if (node.type === 'TSModuleDeclaration') {
    throw codeInvalid(text, node.start, {
      message: 'A script cannot hold a namespace.',
      hint: 'Use an object or plain functions.',
    });
  }
  if (node.type === 'AccessorProperty') {
    throw codeInvalid(text, node.start, {
      message: 'A script cannot use `accessor`.',
      hint: 'Use a field, or `get` and `set`.',
    });
  }
  if (node.type === 'Decorator') {
    throw codeInvalid(text, node.start, {
      message: 'A script cannot use decorators.',
      hint: 'Call the function on the class instead.',
    });
  }
  if (node.type === 'VariableDeclaration' && node.kind.endsWith('using')) {
    throw codeInvalid(text, node.start, {
      message: 'A script cannot use `using`.',
      hint: 'Use `const` and `try … finally`.',
    });
  }
  for (const child of childrenOf(node)) refuseUnsupported(text, child);
}

function refuseMissing(text: string, scopes: Scopes): void {
  for (const { name, node, isTypeof } of scopes.globals) {
    if (RESERVED.has(name)) {
      throw codeInvalid(text, node.start, { message: `\`${name}\` is a reserved name.` });
    }
    const hint = Object.hasOwn(MISSING, name) ? MISSING[name] : undefined;
    if (hint === undefined || isTypeof) continue;
    // Who asks `typeof fetch` first is ready for the answer.
    if (scopes.globals.some((other) => other.name === name && other.isTypeof)) continue;
    throw codeInvalid(text, node.start, { message: `\`${name}\` is not there.`, hint });
  }
  const taken = scopes.bindings.find((binding) => RESERVED.has(binding.name));
  if (!taken) return;
  const at = taken.declarations[0]?.start ?? 0;
  throw codeInvalid(text, at, { message: `\`${taken.name}\` is a reserved name.` });
}
