import { asText, type CatalogTool, isJsonObject } from '../../core/index.js';
import { propertiesOf } from '../../schema/index.js';

/**
 * What a tool is found by. `weight` says how much one occurrence counts, `lengthPenalty` (the `b`
 * of BM25) how much a long field dilutes it. Chosen by hand-made intents over the tools of sixty
 * public servers; a server's name is short and never penalised.
 */
export const FIELDS = [
  { name: 'name', weight: 4, lengthPenalty: 0.5 },
  { name: 'title', weight: 1.5, lengthPenalty: 0.5 },
  { name: 'server', weight: 2, lengthPenalty: 0 },
  { name: 'description', weight: 1.2, lengthPenalty: 0.6 },
  { name: 'parameter', weight: 0.6, lengthPenalty: 0.75 },
  { name: 'parameter text', weight: 0.3, lengthPenalty: 0.75 },
] as const;

export type FieldName = (typeof FIELDS)[number]['name'];

/** A longer text does not make a tool easier to find, only slower to index. */
const MAX_CHARACTERS = 4_000;
const MAX_PARAMETERS = 200;

/** One text for each of `FIELDS`, in the same order. */
export function fieldTexts({ server, definition }: CatalogTool): readonly string[] {
  const { name, title, description, annotations, inputSchema } = definition;
  const parameters = parametersOf(inputSchema);
  const texts = [
    name,
    title ?? annotations?.title,
    server,
    description,
    parameters.map((parameter) => parameter.name).join(' '),
    parameters.map((parameter) => parameter.description).join(' '),
  ];
  return texts.map((text) => (typeof text === 'string' ? text.slice(0, MAX_CHARACTERS) : ''));
}

interface NamedText {
  readonly name: string;
  readonly description: string;
}

/** The parameters themselves; what lies deeper describes a value, not the tool. */
function parametersOf(schema: unknown): readonly NamedText[] {
  return Object.entries(isJsonObject(schema) ? propertiesOf(schema) : {})
    .slice(0, MAX_PARAMETERS)
    .map(([name, property]) => {
      return { name, description: isJsonObject(property) ? asText(property['description']) : '' };
    });
}
