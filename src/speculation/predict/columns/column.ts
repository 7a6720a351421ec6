export type Scalar = string | number;

/** Values that stand in the same place of their items, in their order: `$[*].id`. */
export interface CopyColumn {
  readonly path: string;
  readonly values: readonly Scalar[];
}

/** Longer texts are contents: no call takes them as they are. */
export const LONGEST_VALUE = 400;
