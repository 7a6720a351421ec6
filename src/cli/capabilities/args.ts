import { InvalidArgumentError } from 'commander';

import type { JsonObject } from '../../core/index.js';
import { isJsonObject } from '../../core/json.js';

/** What a capability is given, as it is written on the command line. */
export function parseArgs(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch {
    // Told below, like JSON that is no object.
  }
  throw new InvalidArgumentError(`Give a JSON object: '{"path": "notes.txt"}'.`);
}
