import type { SourceSpan } from '../../core/index.js';
import type { Node } from '../source/ast.js';
import type { ParsedCode } from '../source/parse-code.js';
import type { Binding, Identifier } from '../source/scopes.js';
import { spanOf } from '../source/source-text.js';
import { ToolPaths } from '../source/tool-path.js';
import { FlowGraph, type Front } from './flow-graph.js';
import { computedFrom, NOTHING, oneOf, type Value } from './values.js';

/** A call that is being followed: what it gave back, and where it was left. */
export interface WalkFrame {
  readonly returns: Value[];
  readonly fronts: Front[];
}

/** Longer conditions are shortened. */
const MAX_SHOWN = 80;

/** Helpers may call helpers that call helpers: after so many calls the walk stops. */
const MAX_ENTRIES = 5000;

/** What following code knows and collects. */
export class Walk {
  readonly code: ParsedCode;
  readonly graph = new FlowGraph();
  readonly paths: ToolPaths;
  readonly frames: WalkFrame[] = [{ returns: [], fronts: [] }];
  /** Fronts of `break`, for each loop or switch around. */
  readonly breaks: { readonly isSwitch: boolean; readonly fronts: Front[] }[] = [];
  /** Functions being followed; the walk does not follow them again inside themselves. */
  readonly active = new Set<Node>();
  readonly followed = new Set<Node>();
  /** Functions that were met inside themselves. */
  readonly recursive = new Set<Node>();
  /** Above zero where it is unknown whether, or how often, a statement runs. */
  uncertainty = 0;
  /** The last expression that was a statement of its own. */
  last: { readonly node: Node; readonly value: Value } | undefined;
  #entries = 0;
  readonly #values = new Map<Binding, Value>();
  readonly #declaredAt = new Map<Binding, number>();

  constructor(code: ParsedCode) {
    this.code = code;
    this.paths = new ToolPaths(code.scopes, code.program);
  }

  /** Whether one more call may be followed. */
  mayEnter(): boolean {
    this.#entries += 1;
    if (this.#entries > MAX_ENTRIES) this.graph.isCut = true;
    return this.#entries <= MAX_ENTRIES;
  }

  span(node: Node): SourceSpan {
    return spanOf(this.code.starts, node);
  }

  shown(node: Node): string {
    const text = this.code.text.slice(node.start, node.end).replaceAll(/\s+/g, ' ');
    return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text;
  }

  read(node: Identifier): Value | undefined {
    const binding = this.code.scopes.bindingOf(node);
    return binding && this.#values.get(binding);
  }

  declare(node: Identifier, value: Value): void {
    const binding = this.code.scopes.bindingOf(node);
    if (!binding) return;
    this.#values.set(binding, value);
    this.#declaredAt.set(binding, this.uncertainty);
  }

  /** A new value. It replaces the old one only if the assignment is certain to run. */
  assign(node: Identifier, value: Value): void {
    const binding = this.code.scopes.bindingOf(node);
    if (!binding) return;
    const isCertain = this.uncertainty <= (this.#declaredAt.get(binding) ?? 0);
    const old = this.#values.get(binding) ?? NOTHING;
    this.#values.set(binding, isCertain ? value : oneOf(old, value));
  }

  /** Something becomes part of a value, as by `push`. */
  enrich(node: Identifier, added: readonly Value[]): void {
    const binding = this.code.scopes.bindingOf(node);
    if (!binding) return;
    const old = this.#values.get(binding) ?? NOTHING;
    if (old.kind === 'tools' || old.kind === 'function') return;
    this.#values.set(binding, computedFrom(old, ...added));
  }

  /** Follows code that may run once, several times or not at all. */
  uncertain<Result>(follow: () => Result): Result {
    this.uncertainty += 1;
    try {
      return follow();
    } finally {
      this.uncertainty -= 1;
    }
  }
}
