import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../../core/index.js';
import { propertiesOf } from '../../schema/index.js';

/** More of them tell no more. */
const MOST_EXAMPLES = 5;

/**
 * The parameters with the values another proof of the same procedure had, as `examples`: a value that
 * differs from proof to proof is what a request is about. The default stays the first one.
 */
export function withOtherExamples(known: JsonObject, proven: JsonObject): JsonObject {
  const others = propertiesOf(proven);
  let isChanged = false;
  const properties = Object.entries(propertiesOf(known)).map(([name, field]) => {
    const other = Object.hasOwn(others, name) ? others[name] : undefined;
    const examples = isJsonObject(field) && isJsonObject(other) && joined(field, other['default']);
    if (!examples) return [name, field] as const;
    isChanged = true;
    return [name, { ...(field as JsonObject), examples }] as const;
  });
  return isChanged ? { ...known, properties: Object.fromEntries(properties) } : known;
}

/** Nothing if the value is known, or there are enough. */
function joined(field: JsonObject, value: JsonValue | undefined): JsonValue[] | undefined {
  const { default: first, examples } = field;
  if (first === undefined || value === undefined) return undefined;
  const known = Array.isArray(examples) ? (examples as readonly JsonValue[]) : [first];
  const isKnown = known.some((one) => canonicalJson(one) === canonicalJson(value));
  return isKnown || known.length >= MOST_EXAMPLES ? undefined : [...known, value];
}
