import type { ToolId } from '../../core/index.js';
import { kept } from './kept-map.js';

interface Tally {
  right: number;
  tried: number;
}

const MOST_TOOLS = 2_000;
const FIRST: Tally = { right: 0.3, tried: 2 };
/** As if so many tries spoke for what all tools have in common. */
const PULL = 3;

/** How often guesses were right, by tool and by whether the session had called it before. */
export class Accuracy {
  readonly #general: readonly [Tally, Tally] = [{ ...FIRST }, { ...FIRST }];
  readonly #tools = new Map<string, Tally>();

  add(tool: ToolId, isAgain: boolean, isRight: boolean): void {
    const own = kept(this.#tools, keyOf(tool, isAgain), () => ({ right: 0, tried: 0 }), MOST_TOOLS);
    for (const tally of [own, this.#general[isAgain ? 1 : 0]]) {
      tally.tried += 1;
      if (isRight) tally.right += 1;
    }
  }

  of(tool: ToolId, isAgain: boolean): number {
    const { right, tried } = this.#general[isAgain ? 1 : 0];
    const general = right / tried;
    const own = this.#tools.get(keyOf(tool, isAgain)) ?? { right: 0, tried: 0 };
    return (own.right + PULL * general) / (own.tried + PULL);
  }
}

function keyOf(tool: ToolId, isAgain: boolean): string {
  return isAgain ? `${tool} again` : tool;
}
