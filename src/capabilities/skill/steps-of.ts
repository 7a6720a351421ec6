import { type CodeStructure, formatStructure } from '../../code/index.js';
import { type CapabilityVersion, isJsonObject } from '../../core/index.js';

/** The steps of the code in use as an indented tree; none if their form is not known here. */
export function stepsOf({
  current,
}: {
  readonly current: Pick<CapabilityVersion, 'structure'>;
}): readonly string[] {
  const { structure } = current;
  const isKnown = isJsonObject(structure) && Array.isArray(structure['nodes']);
  // A parsed edge: the store holds as JSON what the analysis of the code made.
  return isKnown ? formatStructure(structure as unknown as CodeStructure) : [];
}
