/** What a literal looks like. */
export type LiteralKind =
  | 'channel'
  | 'code'
  | 'date'
  | 'datetime'
  | 'domain'
  | 'email'
  | 'handle'
  | 'id'
  | 'name'
  | 'number'
  | 'path'
  | 'quoted'
  | 'repository'
  | 'text'
  | 'time'
  | 'timezone'
  | 'url'
  | 'version';

/** A verbatim value in a request, which a user would not paraphrase. */
export interface Literal {
  readonly kind: LiteralKind;
  /** The kind of a quoted text without its quotes. */
  readonly looks?: LiteralKind;
  /** Ready for use: numbers are parsed, unambiguous dates are ISO. */
  readonly value: string | number;
  /** As it was written, without quotes. */
  readonly text: string;
  /** False for a date or time without an unambiguous conversion; `value` is then its text. */
  readonly isExact: boolean;
  /** What a number counts or measures. */
  readonly unit?: string;
  /** Its name, where it was written like `limit=10`. */
  readonly label?: string;
  /** Where it begins and ends in the request, quotes included. */
  readonly start: number;
  readonly end: number;
  /** Words next to it in the same sentence, nearest first. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** A literal without its surroundings. */
export type FoundLiteral = Pick<Literal, 'kind' | 'value' | 'text' | 'start' | 'end'> &
  Partial<Pick<Literal, 'looks' | 'isExact' | 'unit' | 'label'>>;
