import { Levels, runEdge } from '../../attention/index.js';
import type { CapabilityShape } from '../../graph/index.js';

const built = new WeakMap<readonly CapabilityShape[], Levels>();

/** Capabilities over what their code calls. Built once for each list of capabilities. */
export function levelsOf(shapes: readonly CapabilityShape[]): Levels {
  const known = built.get(shapes);
  if (known) return known;
  const levels = new Levels(
    shapes.map(({ id, calls, flows }) => {
      const givers = new Set(flows.flatMap(([from]) => calls[from] ?? []));
      return { id, inside: runEdge({ tools: [...new Set(calls)], givers }) };
    }),
  );
  built.set(shapes, levels);
  return levels;
}
