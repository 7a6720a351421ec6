import type { ToolId } from '../../core/index.js';
import type { SessionCall } from '../situation.js';
import { kept } from './kept-map.js';
import { type Leaves, leavesOfArgs } from './leaves.js';

/** Which arguments are given at all. */
export interface LikelyShape {
  readonly paths: readonly string[];
  readonly probability: number;
}

interface Shape {
  readonly paths: readonly string[];
  times: number;
}

interface OfTool {
  readonly shapes: Map<string, Shape>;
  total: number;
  /** How often a call had the shape of the one before it in the same session. */
  same: number;
  again: number;
}

const MOST_TOOLS = 2_000;
const MOST_SHAPES = 24;
/** What is taken for granted of a tool: that its calls of one session look alike, so many tries long. */
const SAME = { rate: 0.8, tries: 3 };
/** As if it was seen so often that only the required arguments are given. */
const REQUIRED_TIMES = 0.5;

export class ShapeMemory {
  readonly #tools = new Map<ToolId, OfTool>();

  add(tool: ToolId, last: SessionCall | undefined, leaves: Leaves): void {
    const own = kept(this.#tools, tool, newTool, MOST_TOOLS);
    const paths = [...leaves.keys()];
    const key = keyOf(paths);
    kept(own.shapes, key, () => ({ paths, times: 0 }), MOST_SHAPES).times += 1;
    own.total += 1;
    const before = last && leavesOfArgs(last.args);
    if (!before) return;
    own.again += 1;
    if (keyOf([...before.keys()]) === key) own.same += 1;
  }

  /** Likeliest first. */
  likely(
    tool: ToolId,
    last: SessionCall | undefined,
    required: readonly string[] | undefined,
  ): readonly LikelyShape[] {
    const own = this.#tools.get(tool) ?? newTool();
    const before = last && leavesOfArgs(last.args);
    const again = before ? (own.same + SAME.rate * SAME.tries) / (own.again + SAME.tries) : 0;
    const found = new Map<string, LikelyShape>();
    const add = (paths: readonly string[], probability: number) => {
      const key = keyOf(paths);
      const known = found.get(key)?.probability ?? 0;
      found.set(key, { paths, probability: known + probability });
    };
    if (before) add([...before.keys()], again);
    const total = own.total + REQUIRED_TIMES;
    for (const { paths, times } of own.shapes.values()) add(paths, ((1 - again) * times) / total);
    if (required) add(required, ((1 - again) * REQUIRED_TIMES) / total);
    return [...found.values()].toSorted((one, other) => other.probability - one.probability);
  }
}

const newTool = (): OfTool => ({ shapes: new Map(), total: 0, same: 0, again: 0 });

function keyOf(paths: readonly string[]): string {
  return paths.toSorted().join('\n');
}
