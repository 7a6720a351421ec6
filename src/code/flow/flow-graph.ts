import type { SourceSpan } from '../../core/index.js';
import type { StructureEdge, StructureNode } from './structure.js';
import { flowsOf, type Value } from './values.js';

/** Where the course of things stands: the nodes that come just before the next one. */
export type Front = readonly { readonly node: string; readonly branch?: string }[];

type Within = NonNullable<StructureNode['within']>;
type WithoutBase<One> = One extends unknown ? Omit<One, 'id' | 'span' | 'within'> : never;

/** Code that would make more nodes than this is not followed further. */
const MAX_NODES = 2000;

/** Collects nodes and edges while code is followed from its first step to its last. */
export class FlowGraph {
  readonly nodes: StructureNode[] = [];
  readonly edges: StructureEdge[] = [];
  front: Front = [];
  isCut = false;
  #within: Within | undefined;
  readonly #counts = new Map<string, number>();

  /** Adds a node after those of the front and makes it the front. */
  add(node: WithoutBase<StructureNode>, span: SourceSpan): string | undefined {
    if (this.nodes.length >= MAX_NODES) {
      this.isCut = true;
      return undefined;
    }
    const count = (this.#counts.get(node.kind) ?? 0) + 1;
    this.#counts.set(node.kind, count);
    const id = `${node.kind}-${count}`;
    const within = this.#within;
    this.nodes.push({ id, ...node, span, ...(within && { within }) } as StructureNode);
    if (within && within.branch === undefined) {
      this.edges.push({ kind: 'contains', from: within.node, to: id });
    }
    for (const { node: from, branch } of this.front) {
      if (branch !== undefined) this.edges.push({ kind: 'conditional', from, to: id, branch });
      else if (from !== within?.node) this.edges.push({ kind: 'sequence', from, to: id });
    }
    this.front = [{ node: id }];
    return id;
  }

  /** Records what flows into a node. */
  provide(to: string | undefined, value: Value, into: readonly string[] = []): void {
    if (to === undefined) return;
    for (const { origin, into: way } of flowsOf(value, into)) {
      if (origin.kind !== 'reference') continue;
      const { node: from, path, variable } = origin;
      const named = variable === undefined ? {} : { variable };
      this.edges.push({ kind: 'provides', from, to, ...named, path, into: way });
    }
  }

  /** Follows something that belongs to a node; gives whether it added anything. */
  inside(node: string | undefined, branch: string | undefined, follow: () => void): boolean {
    const outer = this.#within;
    const before = this.nodes.length;
    if (node !== undefined) {
      this.#within = branch === undefined ? { node } : { node, branch };
      this.front = [branch === undefined ? { node } : { node, branch }];
    }
    follow();
    this.#within = outer;
    return this.nodes.length > before;
  }

  /** Remembers how things stand; the function given back makes them so again. */
  mark(): () => void {
    const { front } = this;
    const counts = new Map(this.#counts);
    const [nodes, edges] = [this.nodes.length, this.edges.length];
    return () => {
      this.nodes.length = nodes;
      this.edges.length = edges;
      this.front = front;
      this.#counts.clear();
      for (const [kind, count] of counts) this.#counts.set(kind, count);
    };
  }

  /**
   * Follows something twice and keeps the second time: what the end of a round leaves behind
   * reaches the beginning of the next one. Nodes get the same ids again.
   */
  twice(follow: () => void): void {
    const restore = this.mark();
    follow();
    if (this.isCut) return;
    restore();
    follow();
  }

  /** Records after which branches of a decision the rest is not reached. */
  noteEnds(id: string, ends: readonly string[]): void {
    const at = this.nodes.findLastIndex((node) => node.id === id);
    const node = this.nodes[at];
    if (node?.kind === 'decision' && ends.length > 0) this.nodes[at] = { ...node, ends };
  }

  /** Takes back a node that turned out to hold nothing. It has to be the last one. */
  drop(id: string, front: Front): void {
    const node = this.nodes.pop();
    if (node?.id !== id) throw new Error(`Expected ${id} to be the last node, got ${node?.id}`);
    this.#counts.set(node.kind, (this.#counts.get(node.kind) ?? 1) - 1);
    // Nothing came after it, so its edges are the last ones.
    for (let edge = this.edges.at(-1); edge?.from === id || edge?.to === id;) {
      this.edges.pop();
      edge = this.edges.at(-1);
    }
    this.front = front;
  }
}

/** Several courses that come together. */
export function meet(...fronts: readonly Front[]): Front {
  const known = new Map(fronts.flat().map((one) => [`${one.node} ${one.branch ?? ''}`, one]));
  return [...known.values()];
}
