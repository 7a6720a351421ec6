/** `check` looks for mistakes, `dry-run` counts what would be new, `import` remembers it. */
export type ImportMode = 'check' | 'dry-run' | 'import';

export interface ImportAnswer {
  /** By the place of the row, from 0. With any of them nothing was imported. */
  readonly problems: readonly { readonly row: number; readonly problem: string }[];
  readonly added: number;
  readonly known: number;
  /** Rows without a call of a tool that could be named. */
  readonly skipped: number;
  /** Kept although no server has them now. */
  readonly keptTools: readonly string[];
  /** Left out. */
  readonly unknownTools: readonly string[];
  /** False: remembered until the daemon ends, because there is no store. */
  readonly isStored: boolean;
}
