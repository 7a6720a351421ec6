/**
 * One step of the schema. Forward only: a released step is never edited, a mistake is corrected by
 * the next one. The same statements run on PGlite and on PostgreSQL 15 and newer.
 */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly statements: readonly string[];
}
