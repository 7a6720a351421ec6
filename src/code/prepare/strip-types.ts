import {
  childrenOf,
  type FunctionNode,
  isErased,
  isFunction,
  type Node,
  type NodeOf,
  typesOf,
} from '../source/ast.js';
import type { SourceEdits } from '../source/source-edits.js';
import { tokenAt } from '../source/source-text.js';
import { enumAsObject } from './enum-as-object.js';

type ClassNode = NodeOf<'ClassDeclaration' | 'ClassExpression'>;
type ClassMember = NodeOf<'MethodDefinition' | 'PropertyDefinition' | 'AccessorProperty'>;

const MODIFIERS = /\b(?:abstract|declare|override|private|protected|public|readonly)\b/g;

/**
 * Turns TypeScript into JavaScript by writing blanks over the types. Everything that runs stays in
 * its line and column. What was a border between statements becomes a semicolon, since without
 * the type the next line might read on.
 */
export function stripTypes(text: string, program: Node, edits: SourceEdits): void {
  new TypeStripper(text, edits).visit(program);
}

class TypeStripper {
  readonly #text: string;
  readonly #edits: SourceEdits;
  /** Ends of statements that have no semicolon of their own. */
  readonly #openEnds = new Set<number>();

  constructor(text: string, edits: SourceEdits) {
    this.#text = text;
    this.#edits = edits;
  }

  visit(node: Node): void {
    this.#noteEnd(node);
    this.#strip(node);
    if (node.type === 'TSEnumDeclaration') return;
    for (const type of typesOf(node)) if (isSeparate(node, type)) this.#blankType(node, type);
    for (const erased of erasedIn(node)) this.#edits.blank(erased.start, erased.end, ';');
    const head = node.type === 'ForStatement' ? node.init : undefined;
    for (const child of childrenOf(node)) {
      this.visit(child);
      if (child === head) this.#openEnds.delete(child.end);
    }
  }

  #noteEnd(node: Node): void {
    const canStayOpen =
      node.type === 'ExpressionStatement' ||
      node.type === 'VariableDeclaration' ||
      node.type === 'ReturnStatement' ||
      node.type === 'ThrowStatement' ||
      node.type === 'PropertyDefinition';
    if (canStayOpen && this.#text[node.end - 1] !== ';' && !this.#isFollowedBySemicolon(node.end)) {
      this.#openEnds.add(node.end);
    }
  }

  /** The head of a `for` ends before its semicolon. */
  #isFollowedBySemicolon(end: number): boolean {
    return /^\s*;/.test(this.#text.slice(end, end + 200));
  }

  #strip(node: Node): void {
    switch (node.type) {
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
        return this.#blankEnd(node.expression.end, node.end);
      case 'TSNonNullExpression':
      case 'TSInstantiationExpression':
        return this.#edits.blank(node.expression.end, node.end);
      case 'TSTypeAssertion':
        return this.#blankAssertion(node);
      case 'TSEnumDeclaration':
        return this.#edits.replace(node.start, node.end, enumAsObject(this.#text, node));
      case 'Identifier':
        // The declared type of an identifier knows parameters only by another name.
        if ((node as { readonly optional?: boolean }).optional) {
          this.#blankToken(node.start + node.name.length, '?');
        }
        return;
      case 'VariableDeclarator':
        if (node.definite && node.id.type === 'Identifier') {
          this.#blankToken(node.id.start + node.id.name.length, '!');
        }
        return;
      case 'ClassDeclaration':
      case 'ClassExpression':
        return this.#stripClass(node);
      case 'MethodDefinition':
      case 'PropertyDefinition':
      case 'AccessorProperty':
        return this.#stripMember(node);
      case 'TSParameterProperty':
        return this.#blankModifiers(node.start, node.parameter.start);
      default:
        if (isFunction(node)) this.#stripFunction(node);
    }
  }

  #blankEnd(start: number, end: number): void {
    this.#edits.blank(start, end, this.#openEnds.has(end) ? ';' : '');
  }

  #blankToken(from: number, token: string): void {
    const at = tokenAt(this.#text, from, token);
    this.#edits.blank(at, at + token.length);
  }

  /** `return <T>⏎ x` must not become `return⏎ x`. */
  #blankAssertion({ start, end, expression }: NodeOf<'TSTypeAssertion'>): void {
    const hasBreak = this.#hasBreak(start, expression.start);
    this.#edits.blank(start, expression.start, hasBreak ? '(' : '');
    if (hasBreak) this.#edits.after(end, ')');
  }

  #blankType(node: Node, type: Node): void {
    const isMoved =
      node.type === 'ArrowFunctionExpression' &&
      (type === node.returnType || type === node.typeParameters) &&
      this.#hasBreak(type.start, type.end);
    if (!isMoved) this.#edits.blank(type.start, type.end);
  }

  #stripFunction(node: FunctionNode): void {
    const [first, second] = node.params;
    if (first?.type === 'Identifier' && first.name === 'this') {
      const comma = second && tokenAt(this.#text, first.end, ',');
      // The type of `this` is blanked with its parameter's own annotation.
      this.#edits.blank(first.start, first.start + 'this'.length);
      if (comma !== undefined) this.#edits.blank(comma, comma + 1);
    }
    if (node.type === 'ArrowFunctionExpression') this.#keepArrowTogether(node);
  }

  /** No line may break between the parameters and `=>`, nor between `async` and the parameters. */
  #keepArrowTogether({ returnType, typeParameters }: FunctionNode): void {
    if (returnType && this.#hasBreak(returnType.start, returnType.end)) {
      const close = this.#text.lastIndexOf(')', returnType.start - 1);
      this.#edits.blank(close, close + 1);
      this.#edits.blank(returnType.start, returnType.end - 1);
      this.#edits.replace(returnType.end - 1, returnType.end, ')');
    }
    if (typeParameters && this.#hasBreak(typeParameters.start, typeParameters.end)) {
      const open = tokenAt(this.#text, typeParameters.end, '(');
      this.#edits.blank(typeParameters.start, typeParameters.end, '(');
      this.#edits.blank(open, open + 1);
    }
  }

  #stripClass(node: ClassNode): void {
    if (node.abstract) this.#edits.blank(node.start, node.start + 'abstract'.length);
    const [first] = node.implements ?? [];
    if (!first) return;
    const before =
      node.superTypeArguments?.end ??
      node.superClass?.end ??
      node.typeParameters?.end ??
      node.id?.end ??
      node.start + (node.abstract ? this.#text.slice(node.start).indexOf('class') : 0) + 5;
    this.#edits.blank(before, node.body.start);
  }

  #stripMember(node: ClassMember): void {
    this.#blankModifiers(node.start, node.key.start, node.computed);
    if (node.optional || ('definite' in node && node.definite)) {
      const end = node.computed ? tokenAt(this.#text, node.key.end, ']') + 1 : node.key.end;
      this.#blankToken(end, node.optional ? '?' : '!');
    }
    if (node.type === 'MethodDefinition' && node.kind === 'constructor') this.#assignMembers(node);
  }

  #blankModifiers(start: number, end: number, isComputed = false): void {
    for (const match of this.#text.slice(start, end).matchAll(MODIFIERS)) {
      const at = start + match.index;
      // `a = 1⏎ public ['b'] = 2` must not become `a = 1⏎ ['b'] = 2`.
      this.#edits.blank(at, at + match[0].length, isComputed && match.index === 0 ? ';' : '');
    }
  }

  /** `constructor(private x: T)` sets `this.x`. */
  #assignMembers({ value }: NodeOf<'MethodDefinition'>): void {
    const names = value.params.flatMap((one) => {
      if (one.type !== 'TSParameterProperty') return [];
      const target: Node = one.parameter;
      const name: Node = target.type === 'AssignmentPattern' ? target.left : target;
      return name.type === 'Identifier' ? [name.name] : [];
    });
    if (names.length === 0 || !value.body) return;
    const superCall = value.body.body.find(
      (one) =>
        one.type === 'ExpressionStatement' &&
        one.expression.type === 'CallExpression' &&
        one.expression.callee.type === 'Super',
    );
    const assignments = names.map((name) => `this.${name} = ${name};`).join(' ');
    if (superCall) this.#edits.after(superCall.end, `; ${assignments}`);
    else this.#edits.after(value.body.start + 1, assignments);
  }

  #hasBreak(start: number, end: number): boolean {
    return /[\n\r\u2028\u2029]/.test(this.#text.slice(start, end));
  }
}

/** Whether a type is blanked by itself rather than with what stands around it. */
function isSeparate(node: Node, type: Node): boolean {
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSTypeAssertion':
    case 'TSInstantiationExpression':
      return false;
    case 'ClassDeclaration':
    case 'ClassExpression':
      return type.type !== 'TSClassImplements';
    default:
      return true;
  }
}

function erasedIn(node: Node): readonly Node[] {
  switch (node.type) {
    case 'Program':
    case 'BlockStatement':
    case 'StaticBlock':
    case 'ClassBody':
      return (node.body as readonly Node[]).filter(isErased);
    case 'SwitchCase':
      return node.consequent.filter(isErased);
    default:
      return [];
  }
}
