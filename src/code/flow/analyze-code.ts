import { resultOf } from '../prepare/result-of.js';
import { childrenOf, isFunction, type Node, sourceOf } from '../source/ast.js';
import type { ParsedCode } from '../source/parse-code.js';
import { enter } from './enter-function.js';
import { evaluate } from './follow-expressions.js';
import { runBody } from './follow-statements.js';
import type { CodeEffects, CodeStructure } from './structure.js';
import { NOTHING, oneOf, sourceOfValue, UNKNOWN } from './values.js';
import { Walk } from './walk.js';

/** Finds out what code does by following it from its first statement to its last. */
export function analyzeCode(code: ParsedCode): CodeStructure {
  const walk = new Walk(code);
  runBody(walk, code.program);
  const { graph } = walk;
  const last = resultOf(code.program);
  const given = walk.frames[0]?.returns ?? [];
  const end = last && walk.last?.node === last ? [walk.last.value] : [];
  const values = [...given, ...end];
  const result = sourceOfValue(values.length > 0 ? oneOf(...values) : NOTHING);
  followForgotten(walk, code.program);
  return {
    nodes: graph.nodes,
    edges: graph.edges,
    result,
    reach: reachOf(walk),
    isCut: graph.isCut,
  };
}

/** The tools and capabilities that code can call, and whether it can call others. */
export function effectsOf({ reach }: CodeStructure): CodeEffects {
  return reach;
}

/** Methods of classes, and functions that leave the script, may be called from outside. */
function followForgotten(walk: Walk, node: Node): void {
  if (isFunction(node) && !walk.followed.has(node) && node.body) {
    const { graph } = walk;
    graph.front = [];
    const on = walk.shown(node);
    const id = graph.add({ kind: 'decision', form: 'function', on }, walk.span(node));
    const adds = graph.inside(id, 'when called', () => {
      walk.uncertain(() => {
        const given = node.params.map(() => UNKNOWN);
        enter(walk, node, given, { evaluate: (one) => evaluate(walk, one, runBody), run: runBody });
      });
    });
    if (id !== undefined && !adds) graph.drop(id, []);
  }
  for (const child of childrenOf(node)) followForgotten(walk, child);
}

/** Reads names as they are written, so that code that was not followed is not missed. */
function reachOf(walk: Walk): CodeEffects {
  const tools = new Set<string>();
  const capabilities = new Set<string>();
  let isOpen = walk.graph.isCut;
  for (const node of walk.graph.nodes) {
    if (node.kind === 'task' && node.tool !== undefined) tools.add(node.tool);
    if (node.kind === 'capability' && node.capability !== undefined) {
      capabilities.add(node.capability);
    }
    isOpen ||= node.kind === 'task' && node.tool === undefined;
    isOpen ||= node.kind === 'capability' && node.capability === undefined;
  }
  const visit = (node: Node, parent: Node | undefined): void => {
    const path = isPathEnd(walk, node, parent) ? walk.paths.of(node) : undefined;
    if (path) {
      const needed = path.root === 'mcp' ? 2 : 1;
      const names = path.names.slice(0, needed);
      const isNamed = names.length === needed && names.every((name) => name !== undefined);
      if (isNamed) (path.root === 'mcp' ? tools : capabilities).add(names.join(':'));
      else isOpen ||= !isAlias(parent, walk);
    }
    // Nodes that only pass a value on do not separate a name from its use.
    const isPassing = sourceOf(node) !== node;
    for (const child of childrenOf(node)) visit(child, isPassing ? parent : node);
  };
  visit(walk.code.program, undefined);
  return { tools: [...tools].toSorted(), capabilities: [...capabilities].toSorted(), isOpen };
}

/** The end of a chain of members, where its meaning becomes clear. */
function isPathEnd(walk: Walk, node: Node, parent: Node | undefined): boolean {
  if (node.type !== 'Identifier' && node.type !== 'MemberExpression') return false;
  if (parent?.type === 'MemberExpression') return sourceOf(parent.object) !== node;
  if (node.type !== 'Identifier') return true;
  return !walk.code.scopes.bindingOf(node)?.declarations.includes(node);
}

/** A name for `mcp` or a server of it that is only ever used to name its tools. */
function isAlias(parent: Node | undefined, walk: Walk): boolean {
  if (parent?.type !== 'VariableDeclarator') return false;
  if (parent.id.type === 'ObjectPattern') return !parent.id.properties.some(isRest);
  const binding = parent.id.type === 'Identifier' && walk.code.scopes.bindingOf(parent.id);
  return binding !== false && binding !== undefined && binding.writes.length === 0;
}

function isRest(node: Node): boolean {
  return node.type === 'RestElement' || (node.type === 'Property' && node.computed);
}
