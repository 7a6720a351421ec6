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

/** A value that stands in a request as it is: nothing somebody would paraphrase. */
export interface Literal {
  readonly kind: LiteralKind;
  /** What a quoted text would be without its quotes. */
  readonly looks?: LiteralKind;
  /** Ready to be used: a date is ISO where that is certain, a number is one. */
  readonly value: string | number;
  /** As it was written, without quotes. */
  readonly text: string;
  /** A date or time that could not be converted with certainty is only its text. */
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

/** A literal before its surroundings are looked at. */
export type FoundLiteral = Pick<Literal, 'kind' | 'value' | 'text' | 'start' | 'end'> &
  Partial<Pick<Literal, 'looks' | 'isExact' | 'unit' | 'label'>>;
