import type { JsonValue, SourceSpan } from '../../core/index.js';

/**
 * What code does, as a graph, without having run it. Plain JSON, so that it can be kept; `type` and
 * not `interface`, so that the compiler knows it for JSON.
 *
 * A helper that is called twice appears twice: a node is one place in the course of things, and
 * its span says where in the text that is.
 */
export type CodeStructure = {
  /** In the order in which they are reached, if they are. */
  readonly nodes: readonly StructureNode[];
  readonly edges: readonly StructureEdge[];
  /** What the code gives back. */
  readonly result: ValueSource;
  /** Everything that is named anywhere in the text, whether or not a way to it was found. */
  readonly reach: CodeEffects;
  /** The code was too large to be followed to its end. */
  readonly isCut: boolean;
};

export type CodeEffects = {
  /** `server:tool`, each once, sorted. */
  readonly tools: readonly string[];
  readonly capabilities: readonly string[];
  /** It can call what only its run decides, as in `mcp[server][tool]`. */
  readonly isOpen: boolean;
};

type NodeBase = {
  readonly id: string;
  readonly span: SourceSpan;
  /** The loop, fork, operation or decision it belongs to, and by which branch. */
  readonly within?: { readonly node: string; readonly branch?: string };
};

export type StructureNode =
  | (NodeBase & {
      readonly kind: 'task';
      /** Missing if the name is worked out at run time. */
      readonly tool?: string;
      readonly input: ValueSource;
    })
  | (NodeBase & {
      readonly kind: 'capability';
      readonly capability?: string;
      readonly input: ValueSource;
    })
  | (NodeBase & { readonly kind: 'operation'; readonly operation: string })
  | (NodeBase & {
      readonly kind: 'decision';
      readonly form: 'if' | 'choice' | 'switch' | 'try' | 'function';
      /** The condition as it is written. */
      readonly on: string;
      /** Branches that leave the code, function or round, so that nothing after them happens. */
      readonly ends?: readonly string[];
    })
  | (NodeBase & { readonly kind: 'fork'; readonly form: string })
  | (NodeBase & { readonly kind: 'join'; readonly fork: string; readonly branches: number })
  | (NodeBase & {
      readonly kind: 'loop';
      readonly form:
        | 'for'
        | 'for-of'
        | 'for-in'
        | 'for-await'
        | 'while'
        | 'do-while'
        | 'callback'
        | 'recursion';
      readonly on: string;
    });

export type StructureEdge =
  | { readonly kind: 'sequence'; readonly from: string; readonly to: string }
  | {
      readonly kind: 'provides';
      readonly from: string;
      readonly to: string;
      /** The variable it passes through. */
      readonly variable?: string;
      /** Which field of the result; `*` is any element. */
      readonly path: readonly string[];
      /** Into which argument; an operation works on `receiver`. */
      readonly into: readonly string[];
    }
  | {
      readonly kind: 'conditional';
      readonly from: string;
      readonly to: string;
      readonly branch: string;
    }
  | { readonly kind: 'contains'; readonly from: string; readonly to: string };

export type ValueReference = {
  readonly kind: 'reference';
  readonly node: string;
  readonly path: readonly string[];
  readonly variable?: string;
};

export type Parameter = { readonly kind: 'parameter'; readonly path: readonly string[] };

/** Where a value comes from. */
export type ValueSource =
  | { readonly kind: 'literal'; readonly value: JsonValue }
  | ValueReference
  | Parameter
  | {
      readonly kind: 'object';
      readonly fields: Readonly<Record<string, ValueSource>>;
      /** What is spread into it. */
      readonly rest?: readonly ValueSource[];
    }
  | { readonly kind: 'array'; readonly items: readonly ValueSource[] }
  | { readonly kind: 'computed'; readonly from: readonly (ValueReference | Parameter)[] };
