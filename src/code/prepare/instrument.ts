import type { SourceSpan } from '../../core/index.js';
import { mayHaveEffects, type Operation, operationOf } from '../flow/operations.js';
import { type Call, childrenOf, type Member, type Node, type NodeOf } from '../source/ast.js';
import type { ParsedCode } from '../source/parse-code.js';
import type { SourceEdits } from '../source/source-edits.js';
import { spanOf, tokenAt } from '../source/source-text.js';
import { ToolPaths } from '../source/tool-path.js';

/** One place in the text at which an operation happens. */
export interface OperationSite {
  /** `code:filter`, `code:Object.keys`, … */
  readonly operation: string;
  readonly span: SourceSpan;
}

export interface Instrumented {
  readonly sites: readonly OperationSite[];
  /** Whether a variable `__held` has to be declared. */
  readonly needsHeld: boolean;
}

type MethodCall = Call & { readonly callee: Member };

/** A link of a `?.` chain behind which operations are called. */
interface Break {
  readonly link: Member;
  /** Calls of operations up to the next break, outermost first. */
  readonly calls: MethodCall[];
}

/**
 * Rewrites `a.filter(f)` to `__op(site, a, 'filter', f)`, which calls it and tells the host.
 *
 * Nothing else changes: the receiver is worked out once and first, its absence is noticed before
 * the arguments are worked out, and `?.` skips what it skipped. `__held` keeps a receiver from
 * its test to its use, between which nothing else can run.
 */
export function instrument(code: ParsedCode, edits: SourceEdits): Instrumented {
  const instrumenter = new Instrumenter(code, edits);
  instrumenter.visit(code.program, undefined);
  return { sites: instrumenter.sites, needsHeld: instrumenter.needsHeld };
}

class Instrumenter {
  readonly sites: OperationSite[] = [];
  needsHeld = false;
  readonly #code: ParsedCode;
  readonly #edits: SourceEdits;
  readonly #paths: ToolPaths;
  /** Calls in `?.` chains, whose beginning the chain has written, or that must stay as they are. */
  readonly #begun = new Map<Node, Operation | undefined>();

  constructor(code: ParsedCode, edits: SourceEdits) {
    this.#code = code;
    this.#edits = edits;
    this.#paths = new ToolPaths(code.scopes, code.program);
  }

  visit(node: Node, parent: Node | undefined): void {
    if (node.type === 'TSEnumDeclaration') return;
    if (node.type === 'ExpressionStatement') this.#keepStatementsApart(node);
    if (node.type === 'ChainExpression') this.#beginChain(node, parent);
    if (node.type === 'CallExpression') this.#visitCall(node);
    if (node.type === 'NewExpression') this.#visitNew(node);
    for (const child of childrenOf(node)) this.visit(child, node);
  }

  #visitCall(node: Call): void {
    const isBegun = this.#begun.has(node);
    const operation = isBegun ? this.#begun.get(node) : this.#operationOf(node);
    if (!operation || !isMethodCall(node)) return;
    if (!isBegun) this.#edits.before(node.start, this.#beginning(node, operation));
    this.#guardEnd(node, operation);
    this.#writeMiddle(node, operation.name);
  }

  #visitNew(node: NodeOf<'NewExpression'>): void {
    const operation = operationOf(node, this.#code.scopes, this.#paths);
    if (!operation) return;
    const { text } = this.#code;
    const site = this.#addSite(node, operation);
    const open = tokenAt(text, node.typeArguments?.end ?? node.callee.end, '(');
    this.#edits.replace(node.start, node.start + 3, `__op(${site}, Reflect, 'construct',`);
    this.#edits.replace(open, open + 1, ', [');
    this.#edits.replace(node.end - 1, node.end, '])');
  }

  #operationOf(node: Call): Operation | undefined {
    return operationOf(node, this.#code.scopes, this.#paths);
  }

  #addSite(node: Node, operation: Operation): number {
    this.sites.push({ operation: operation.id, span: spanOf(this.#code.starts, node) });
    return this.sites.length - 1;
  }

  #beginning(node: Call, operation: Operation): string {
    const site = this.#addSite(node, operation);
    if (!this.#isGuarded(node, operation)) return `__op(${site}, `;
    this.needsHeld = true;
    return `__op(${site}, (__held = `;
  }

  /** Where arguments do something, a receiver that is not there has to fail before them. */
  #isGuarded(node: Call, operation: Operation): boolean {
    if (operation.kind !== 'method' || node.callee.type !== 'MemberExpression') return false;
    if (node.callee.optional || isSurelyThere(node.callee.object)) return false;
    return node.arguments.some(mayHaveEffects);
  }

  #guardEnd(node: MethodCall, operation: Operation): void {
    if (!this.#isGuarded(node, operation)) return;
    const { end } = node.callee.object;
    this.#edits.after(end, `) == null ? __held.${operation.name} : __held`);
  }

  /** Between receiver and arguments: `.filter(` becomes `, 'filter', `. */
  #writeMiddle(node: MethodCall, name: string): void {
    const { text } = this.#code;
    const { callee } = node;
    const dots = callee.optional ? '?.' : '.';
    const dot = tokenAt(text, callee.object.end, dots);
    const open = tokenAt(text, node.typeArguments?.end ?? callee.property.end, '(');
    this.#edits.replace(dot, dot + dots.length, ', ');
    this.#edits.replace(callee.property.start, callee.property.end, `'${name}'`);
    this.#edits.replace(open, open + 1, node.arguments.length > 0 ? ', ' : '');
  }

  /**
   * `a?.b.filter(f)` becomes `((__held = a) == null ? undefined : __op(0, __held.b, 'filter', f))`,
   * and so on from break to break.
   */
  #beginChain(chain: NodeOf<'ChainExpression'>, parent: Node | undefined): void {
    const breaks = this.#breaksOf(chain, parent);
    const last = breaks.at(-1);
    if (!last) return;
    this.needsHeld = true;
    for (const _ of breaks) this.#edits.before(chain.start, '((__held = ');
    breaks.forEach(({ link, calls }, index) => {
      const beginnings = calls.map((call) => {
        const operation = this.#operationOf(call);
        this.#begun.set(call, operation);
        return operation ? this.#beginning(call, operation) : '';
      });
      const close = index === 0 ? ')' : '))';
      const rest = `${beginnings.join('')}__held`;
      this.#edits.after(link.object.end, `${close} == null ? undefined : ${rest}`);
      if (!calls.some((call) => call.callee === link)) this.#dropQuestionMark(link);
    });
    this.#edits.after(chain.end, ')');
  }

  #dropQuestionMark(link: Member): void {
    const at = tokenAt(this.#code.text, link.object.end, '?.');
    this.#edits.replace(at, at + 2, link.computed ? '' : '.');
  }

  /** The breaks of a chain, first to last. Calls whose break cannot be written stay as they are. */
  #breaksOf(chain: NodeOf<'ChainExpression'>, parent: Node | undefined): readonly Break[] {
    const links = linksOf(chain);
    const mustStay = needsReference(chain, parent);
    const breaks = new Map<Member, Break>();
    links.forEach((link, index) => {
      if (!isMethodCall(link) || !this.#operationOf(link)) return;
      const optional = links.slice(index + 1).find(isOptional);
      if (!optional) return;
      if (mustStay || optional.type !== 'MemberExpression') {
        this.#begun.set(link, undefined);
        return;
      }
      const known = breaks.get(optional);
      if (known) known.calls.push(link);
      else breaks.set(optional, { link: optional, calls: [link] });
    });
    return [...breaks.values()].toReversed();
  }

  /** A line that now begins with a bracket would be read as part of the one before. */
  #keepStatementsApart(statement: NodeOf<'ExpressionStatement'>): void {
    const first = chainAt(statement.expression, statement.start);
    if (first && this.#breaksOf(first, undefined).length > 0) {
      this.#edits.before(statement.start, '0, ');
    }
  }
}

function isMethodCall(node: Node): node is MethodCall {
  return node.type === 'CallExpression' && node.callee.type === 'MemberExpression';
}

/** The members and calls of a chain, last written first. */
function linksOf(chain: NodeOf<'ChainExpression'>): readonly Node[] {
  const links: Node[] = [];
  let node: Node = chain.expression;
  for (;;) {
    if (node.type === 'MemberExpression') {
      links.push(node);
      node = node.object;
    } else if (node.type === 'CallExpression') {
      links.push(node);
      node = node.callee;
    } else if (node.type === 'TSNonNullExpression') {
      node = node.expression;
    } else {
      return links;
    }
  }
}

function isOptional(node: Node): node is Call | Member {
  return (node.type === 'CallExpression' || node.type === 'MemberExpression') && node.optional;
}

/** `delete (a?.b)` and `(a?.b)()` need the place of a value, not the value. */
function needsReference(chain: NodeOf<'ChainExpression'>, parent: Node | undefined): boolean {
  return (
    chain.expression.type === 'MemberExpression' &&
    (parent?.type === 'ParenthesizedExpression' ||
      parent?.type === 'TSNonNullExpression' ||
      (parent?.type === 'UnaryExpression' && parent.operator === 'delete'))
  );
}

function isSurelyThere(node: Node): boolean {
  switch (node.type) {
    case 'ArrayExpression':
    case 'ObjectExpression':
    case 'TemplateLiteral':
    case 'NewExpression':
      return true;
    case 'Literal':
      return node.value !== null;
    case 'ParenthesizedExpression':
      return isSurelyThere(node.expression);
    default:
      return false;
  }
}

/** The chain an expression begins with. */
function chainAt(node: Node, start: number): NodeOf<'ChainExpression'> | undefined {
  if (node.start !== start) return undefined;
  if (node.type === 'ChainExpression') return node;
  const [first] = childrenOf(node);
  return first && chainAt(first, start);
}
