import {
  lastAtMost,
  lineStarts,
  offsetAt,
  positionAt,
  type SourcePosition,
} from './source-text.js';

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** What ends something comes before what begins something at the same place. */
  readonly rank: 0 | 1 | 2;
}

interface Piece {
  /** Where it stands in the new text, and what it came from. */
  readonly at: number;
  readonly from: number;
  readonly isKept: boolean;
}

export interface EditedText {
  readonly text: string;
  /** Where a position of the new text was in the old one. */
  readonly locate: (line: number, column: number) => SourcePosition;
}

/** Changes to a text, collected in any order that goes outside in, then made at once. */
export class SourceEdits {
  readonly #text: string;
  readonly #edits: Edit[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  replace(start: number, end: number, text: string): void {
    this.#edits.push({ start, end, text, rank: 2 });
  }

  /** Of several at one place the first added stands first. */
  before(offset: number, text: string): void {
    this.#edits.push({ start: offset, end: offset, text, rank: 1 });
  }

  after(offset: number, text: string): void {
    this.#edits.push({ start: offset, end: offset, text, rank: 0 });
  }

  /** Takes text away and leaves blanks, so that everything else stays where it is. */
  blank(start: number, end: number, first = ''): void {
    const blanks = this.#text.slice(start, end).replaceAll(/[^\n\r\u2028\u2029]/g, ' ');
    this.replace(start, end, first + blanks.slice(first.length));
  }

  apply(): EditedText {
    const edits = this.#edits.toSorted((a, b) => a.start - b.start || a.rank - b.rank);
    const pieces: Piece[] = [];
    let text = '';
    let from = 0;
    for (const edit of edits) {
      if (edit.start < from) throw new Error(`Edits of the code overlap at ${edit.start}`);
      pieces.push({ at: text.length, from, isKept: true });
      text += this.#text.slice(from, edit.start);
      const isSameLength = edit.text.length === edit.end - edit.start;
      pieces.push({ at: text.length, from: edit.start, isKept: isSameLength });
      text += edit.text;
      from = edit.end;
    }
    pieces.push({ at: text.length, from, isKept: true });
    return { text: text + this.#text.slice(from), locate: this.#locator(text, from, pieces) };
  }

  #locator(done: string, from: number, pieces: readonly Piece[]): EditedText['locate'] {
    const whole = done + this.#text.slice(from);
    const newStarts = lineStarts(whole);
    const oldStarts = lineStarts(this.#text);
    const places = pieces.map((piece) => piece.at);
    return (line, column) => {
      const offset = offsetAt(newStarts, { line, column }, whole.length);
      const piece = pieces[lastAtMost(places, offset)] ?? { at: 0, from: 0, isKept: true };
      const old = piece.from + (piece.isKept ? offset - piece.at : 0);
      return positionAt(oldStarts, Math.min(old, this.#text.length));
    };
  }
}
