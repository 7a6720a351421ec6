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
      'off: nothing. warm: starts servers that are likely to be called. suggest: also offers next steps. on: also makes reading calls ahead of the client.',
    ),
  warmServers: z
    .int()
    .nonnegative()
    .default(2)
    .describe('Servers that PML starts ahead of calls at the same time; 0 starts none.'),
  ttlMs: z
    .int()
    .nonnegative()
    .default(30_000)
    .describe('How long the result of a call that was made ahead may be served, in milliseconds.'),
  allow: globs.describe(
    'Globs of server:tool that may be called ahead although they do not say that they reach only a closed world. They must still be reading tools.',
  ),
  deny: globs.describe(
    'Globs of server or server:tool. PML neither starts such a server nor calls such a tool ahead. Wins over allow.',
  ),
  concurrency: z
    .int()
    .min(1)
    .max(8)
    .default(1)
    .describe('Calls that one server gets ahead at the same time. Real calls go first.'),
  callsPerMinute: z
    .int()
    .nonnegative()
    .default(30)
    .describe('Most calls made ahead in a minute; then none until the next minute.'),
  msPerMinute: z
    .int()
    .nonnegative()
    .default(20_000)
    .describe('Most time of servers that calls made ahead take in a minute, in milliseconds.'),
  bytesPerMinute: z
    .int()
    .nonnegative()
    .default(4_000_000)
    .describe('Most bytes of results that calls made ahead bring in a minute.'),
  cost: z
    .record(z.string().min(1), money)
    .default({})
    .describe('What one call of a server:tool costs. A tool that is not named costs nothing.'),
  moneyPerPlan: money
    .default(0.1)
    .describe('Most that the calls made ahead for one plan may cost, in the unit of cost.'),
  planMs: z
    .int()
    .nonnegative()
    .default(5_000)
    .describe('Most time that the calls made ahead for one plan may take, in milliseconds.'),
  threshold: share
    .optional()
    .describe(
      'How sure a prediction must be before PML offers it or makes the call, from 0 to 1. Default: learned from what became of predictions, beginning at 0.92.',
    ),
  target: share
    .default(0.85)
    .describe('Share of predictions acted on that should turn out useful; thresholds move to it.'),
  waste: share
    .default(0.1)
    .describe('Share of predictions acted on that may be in vain; thresholds rise above it.'),
});

/** A word alone is the mode; everything else then has its default. */
export const Speculation = z
  .union([
    speculationMode.transform((mode) => speculationObject.parse({ mode })),
    speculationObject,
  ])
  .prefault({})
  .describe('What PML does before it is asked: a mode name, or an object.');
