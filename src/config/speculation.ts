import * as z from 'zod';

/** `speculation` of `pml.json`: what PML may do before a client asks for it. */

const speculationMode = z.enum(['off', 'warm', 'suggest', 'on']);

const globs = z.array(z.string().min(1)).default([]);
const share = z.number().min(0).max(1);
const money = z.number().nonnegative();

const speculationObject = z.strictObject({
  mode: speculationMode
    .default('suggest')
    .describe(
      'off: nothing. warm: PML starts servers that the agent is likely to need. suggest: PML also offers next steps. on: PML also makes reading calls ahead.',
    ),
  warmServers: z
    .int()
    .nonnegative()
    .default(2)
    .describe('Servers that PML starts ahead at the same time; 0 starts none.'),
  ttlMs: z
    .int()
    .nonnegative()
    .default(30_000)
    .describe('How long PML may serve the result of a call made ahead, in milliseconds.'),
  allow: globs.describe(
    'Globs of reading server:tool names that PML may call ahead although they do not declare openWorldHint: false.',
  ),
  deny: globs.describe(
    'Globs of server or server:tool that PML never starts or calls ahead. Wins over allow.',
  ),
  concurrency: z
    .int()
    .min(1)
    .max(8)
    .default(1)
    .describe('Calls ahead that one server gets at the same time. Real calls go first.'),
  callsPerMinute: z
    .int()
    .nonnegative()
    .default(30)
    .describe('Largest number of calls made ahead in a minute.'),
  msPerMinute: z
    .int()
    .nonnegative()
    .default(20_000)
    .describe('Server time that calls made ahead may take in a minute, in milliseconds.'),
  bytesPerMinute: z
    .int()
    .nonnegative()
    .default(4_000_000)
    .describe('Bytes of results that calls made ahead may bring in a minute.'),
  cost: z
    .record(z.string().min(1), money)
    .default({})
    .describe('What one call of each server:tool costs. A tool without an entry costs nothing.'),
  moneyPerPlan: money
    .default(0.1)
    .describe('What the calls made ahead for one plan may cost together, in the unit of cost.'),
  planMs: z
    .int()
    .nonnegative()
    .default(5_000)
    .describe('Time that the calls made ahead for one plan may take together, in milliseconds.'),
  threshold: share
    .optional()
    .describe(
      'How sure a prediction must be before PML offers it or makes the call, from 0 to 1. Default: PML learns it from the outcomes of its predictions and begins at 0.92.',
    ),
  target: share
    .default(0.85)
    .describe(
      'Share of the predictions PML acts on that should turn out useful. The thresholds move towards it.',
    ),
  waste: share
    .default(0.1)
    .describe(
      'Share of the predictions PML acts on that may be wasted. Above it the thresholds rise.',
    ),
});

/** A word alone is the mode; everything else then has its default. */
export const Speculation = z
  .union([
    speculationMode.transform((mode) => speculationObject.parse({ mode })),
    speculationObject,
  ])
  .prefault({})
  .describe('What PML does before a client asks: a mode name, or an object with these keys.');
