import {
  childrenOf,
  keyName,
  memberName,
  type Node,
  type NodeOf,
  sourceOf,
} from '../source/ast.js';
import type { ParsedCode } from '../source/parse-code.js';
import type { Identifier } from '../source/scopes.js';
import type { SourceEdits } from '../source/source-edits.js';

/** How code reads `args` as it was written. */
export interface GivenArgs {
  readonly names: readonly string[];
  /** Names it reads without saying what holds when they are missing. */
  readonly required: readonly string[];
  /**
   * Makes room for parameters the code did not have: where it uses `args` as a whole they are taken
   * out, and variables of its own that are called `args` get another name.
   */
  keepApart(edits: SourceEdits, added: readonly string[]): void;
}

export function readGivenArgs(code: ParsedCode): GivenArgs {
  const names = new Set<string>();
  const required = new Set<string>();
  const wholes: { readonly node: Identifier; readonly isShorthand: boolean }[] = [];
  const note = (name: string, isNeeded: boolean) => {
    names.add(name);
    if (isNeeded) required.add(name);
  };
  const visit = (node: Node, parents: readonly Node[]): void => {
    if (node.type === 'Identifier' && code.scopes.isGlobal(node, 'args')) {
      const reads = readsOf(node, parents);
      if (reads) for (const { name, isNeeded } of reads) note(name, isNeeded);
      else wholes.push({ node, isShorthand: isShorthand(parents.at(-1)) });
    }
    for (const child of valuesOf(node)) visit(child, [...parents, node]);
  };
  visit(code.program, []);
  return {
    names: [...names],
    required: [...required],
    keepApart(edits, added) {
      const taken = added.map((name, index) => `${name}: _${index}`).join(', ');
      for (const { node, isShorthand: isShort } of wholes) {
        const others = `(({ ${taken}, ...given }) => given)(args)`;
        edits.replace(node.start, node.end, isShort ? `args: ${others}` : others);
      }
      renameLocals(code, edits);
    },
  };
}

/** The children of a node; of `{ args }` only the value, which is written once. */
function valuesOf(node: Node): readonly Node[] {
  return isShorthand(node) ? [(node as NodeOf<'Property'>).value] : childrenOf(node);
}

function isShorthand(node: Node | undefined): boolean {
  return node?.type === 'Property' && node.shorthand;
}

interface Read {
  readonly name: string;
  readonly isNeeded: boolean;
}

/** The names that are read; nothing if `args` is used as a whole. */
function readsOf(node: Node, parents: readonly Node[]): readonly Read[] | undefined {
  const parent = parents.at(-1);
  if (parent?.type === 'MemberExpression' && parent.object === node) {
    const name = memberName(parent);
    if (name === undefined) return undefined;
    const user = parents.findLast((one) => one !== parent && sourceOf(one) === one);
    const hasOther = user?.type === 'LogicalExpression' && user.operator !== '&&';
    return [{ name, isNeeded: !parent.optional && !hasOther }];
  }
  if (parent?.type !== 'VariableDeclarator' || parent.id.type !== 'ObjectPattern') return undefined;
  const reads: Read[] = [];
  for (const property of parent.id.properties) {
    const name = property.type === 'Property' ? keyName(property) : undefined;
    if (name === undefined || property.type !== 'Property') return undefined;
    reads.push({ name, isNeeded: property.value.type !== 'AssignmentPattern' });
  }
  return reads;
}

function renameLocals({ text, program, scopes }: ParsedCode, edits: SourceEdits): void {
  const locals = scopes.bindings.filter((binding) => binding.name === 'args');
  if (locals.length === 0) return;
  let name = 'ownArgs';
  while (text.includes(name)) name += '_';
  const shorthands = new Set<Node>();
  const visit = (node: Node): void => {
    if (node.type === 'Property' && node.shorthand) {
      const value: Node = node.value;
      shorthands.add(value.type === 'AssignmentPattern' ? value.left : value);
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(program);
  for (const node of locals.flatMap((one) => [...one.declarations, ...one.references])) {
    const end = node.start + node.name.length;
    edits.replace(node.start, end, shorthands.has(node) ? `args: ${name}` : name);
  }
}
