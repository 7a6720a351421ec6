/** The form in which capabilities leave one machine and come to another. */
import * as z from 'zod';

import {
  type Capability,
  type JsonObject,
  type JsonValue,
  MOST_JSON_LEVELS,
  nestsDeeper,
  PmlError,
} from '../../core/index.js';

const FORMAT = 'pml-capabilities';

const jsonObject = z.record(z.string(), z.json());

const Entry = z.object({
  name: z.string(),
  /** Names it had before: code in the same file may call it by them. */
  aliases: z.array(z.string()).max(1_000).optional(),
  description: z.string(),
  intents: z.array(z.string()),
  code: z.string(),
  parameters: jsonObject,
  identity: z.string(),
  lock: z.record(
    z.string(),
    z.object({
      hash: z.string(),
      inputSchema: jsonObject,
      outputSchema: jsonObject.optional(),
      description: z.string().optional(),
    }),
  ),
  contains: z.array(z.string()),
  sequence: z.array(z.string()).max(500),
});

const File = z.object({
  format: z.literal(FORMAT),
  version: z.literal(1),
  capabilities: z.array(Entry).max(10_000),
});

/** One capability in a file: its code in use and what it was proven with, without its history. */
export type FileEntry = z.infer<typeof Entry>;
/** What `readCapabilityFile` reads. */
export type CapabilityFile = JsonObject & { readonly capabilities: readonly JsonValue[] };

export function writeCapabilityFile(capabilities: readonly Capability[]): CapabilityFile {
  const entries = capabilities.map((capability): JsonObject => {
    const { name, aliases, description, intents, current } = capability;
    const { code, parameters, identity, lock, contains, sequence } = current;
    return structuredClone({
      name,
      ...(aliases.length > 0 && { aliases }),
      description,
      intents,
      code,
      parameters,
      identity,
      lock,
      contains,
      sequence,
    });
  });
  return { format: FORMAT, version: 1, capabilities: entries };
}

export function readCapabilityFile(file: JsonValue): readonly FileEntry[] {
  if (nestsDeeper(file, MOST_JSON_LEVELS)) throw badFile('it is nested too deeply');
  const { success, data, error } = File.safeParse(file);
  if (success) return data.capabilities;
  const [issue] = error.issues;
  throw badFile(issue ? `${issue.path.join('.') || 'file'}: ${issue.message}` : error.message);
}

function badFile(why: string): PmlError {
  return new PmlError('BAD_REQUEST', `This is no file of capabilities that pml can read: ${why}`);
}
