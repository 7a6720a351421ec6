import * as z from 'zod';

import { ConfigFile } from './config.js';

/** JSON Schema of `pml.json` as a user writes it, published as `pml.schema.json` for editors. */
export function configJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(ConfigFile, {
    io: 'input',
    override({ jsonSchema }) {
      // What a user writes may be "${MY_URL}": its final form is checked after replacement.
      if (jsonSchema.format === 'uri') delete jsonSchema.format;
      delete jsonSchema.pattern;
      if ((jsonSchema.minLength ?? 0) > 1) delete jsonSchema.minLength;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return { ...schema, title: 'PML configuration (pml.json)', allowComments: true };
}

/** The exact bytes of the published file. */
export function configJsonSchemaText(): string {
  return `${JSON.stringify(configJsonSchema(), null, 2)}\n`;
}
