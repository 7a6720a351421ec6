import * as z from 'zod';

/** Narrower views of one configuration. The parts that `config.ts` has too are passed in. */

interface SharedParts<Exposure extends z.ZodType, Ask extends z.ZodType> {
  readonly exposure: Exposure;
  readonly ask: Ask;
}

export function profileSettings<Exposure extends z.ZodType, Ask extends z.ZodType>({
  exposure,
  ask,
}: SharedParts<Exposure, Ask>) {
  const permissions = z.strictObject({
    ask: ask.describe('Further tools that need an approval, as in permissions.ask.'),
    deny: z
      .array(z.string().min(1))
      .default([])
      .describe('Further tools, prompts and resources that PML refuses, as in permissions.deny.'),
    readOnly: z
      .boolean()
      .default(false)
      .describe('true: PML refuses every tool that may change something.'),
  });
  return z.strictObject({
    servers: z
      .array(z.string().min(1))
      .default(['*'])
      .describe('Globs of the names of servers that clients of this profile have.'),
    permissions: permissions
      // Every key has a default, which the type of a schema that is passed in cannot say.
      .prefault({} as never)
      .describe('Rules beside those of the configuration. They can only refuse and ask more.'),
    exposure: exposure.optional().describe('Which tools agents see, instead of exposure.'),
  });
}
