/** What the page and the layout worker say to each other. */
export type LayoutKind = 'force' | 'layers';

export interface LayoutRequest {
  readonly request: number;
  readonly kind: LayoutKind;
  readonly nodes: readonly LayoutNode[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
}

export interface LayoutNode {
  readonly id: string;
  readonly parent?: string;
  readonly width: number;
  readonly height: number;
}

export type LayoutAnswer =
  | { readonly request: number; readonly positions: Positions }
  | { readonly request: number; readonly error: string };

export type Positions = Readonly<Record<string, Position>>;

export interface Position {
  readonly x: number;
  readonly y: number;
}
