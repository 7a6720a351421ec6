/** Without it the terminal would break a line that is too long, and the count of lines be wrong. */
const NO_WRAP = '\u001B[?7l';
const WRAP = '\u001B[?7h';
const CLEAR_BELOW = '\u001B[J';

export interface LiveView {
  /** Draws over what was drawn before. */
  draw(lines: readonly string[]): void;
  /** Takes away what was drawn. */
  clear(): void;
  /** Leaves what was drawn; the next is drawn below. */
  keep(): void;
}

/** Lines of a terminal that are written over and over. */
export function createLiveView(stream: Pick<NodeJS.WriteStream, 'write'>): LiveView {
  let drawn = 0;
  const home = () => (drawn > 0 ? `\u001B[${drawn}F` : '');
  return {
    draw(lines) {
      stream.write(`${home()}${CLEAR_BELOW}${NO_WRAP}${lines.join('\n')}\n${WRAP}`);
      drawn = lines.length;
    },
    clear() {
      if (drawn > 0) stream.write(`${home()}${CLEAR_BELOW}`);
      drawn = 0;
    },
    keep() {
      drawn = 0;
    },
  };
}
