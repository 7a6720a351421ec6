import * as z from 'zod';

/** `limits` of `pml.json`: upper bounds that keep one client or server from using up the machine. */
export const LimitSettings = z.strictObject({
  callTimeoutMs: z
    .int()
    .positive()
    .default(120_000)
    .describe('Longest wait for a tool call, in milliseconds.'),
  startTimeoutMs: z
    .int()
    .positive()
    .default(30_000)
    .describe('Longest wait for a server to start, in milliseconds.'),
  idleStopMs: z
    .int()
    .nonnegative()
    .default(600_000)
    .describe('PML stops a server after this time without a call, in milliseconds; 0: never.'),
  daemonIdleMs: z
    .int()
    .nonnegative()
    .default(900_000)
    .describe('The daemon ends after this time without a client, in milliseconds; 0: never.'),
  serverConcurrency: z
    .int()
    .positive()
    .default(64)
    .describe('Calls that one server gets at the same time.'),
  runConcurrency: z
    .int()
    .positive()
    .default(16)
    .describe('Tasks of one workflow that run at the same time.'),
  runTasks: z.int().positive().default(200).describe('Largest number of tasks in one workflow.'),
  backgroundStarts: z
    .int()
    .positive()
    .default(4)
    .describe('Servers that PML starts at the same time.'),
  resultBytes: z
    .int()
    .min(1_000)
    .default(32_000)
    .describe('PML stores a longer text result and answers with a preview and a handle.'),
  previewBytes: z.int().min(200).default(1_500).describe('Size of such a preview, in bytes.'),
  keptResultBytes: z
    .int()
    .positive()
    .default(256_000_000)
    .describe('Memory for stored results, in bytes. PML evicts the least recently used first.'),
  resultTtlMs: z
    .int()
    .min(1_000)
    .default(604_800_000)
    .describe('How long a stored result stays readable, also after a restart, in milliseconds.'),
  storedResultBytes: z
    .int()
    .nonnegative()
    .default(256_000_000)
    .describe(
      'Space for stored results in the database, compressed, in bytes. PML deletes the oldest first.',
    ),
  messageBytes: z
    .int()
    .positive()
    .default(134_217_728)
    .describe(
      'PML refuses a longer message of a server, local or remote, and closes the connection. In bytes.',
    ),
  tools: z
    .int()
    .positive()
    .default(20_000)
    .describe('Largest number of tools that PML accepts from one server.'),
  httpClients: z
    .int()
    .positive()
    .default(200)
    .describe(
      'Sessions, known stateless clients and listeners over HTTP; further ones get status 503.',
    ),
  httpRequests: z
    .int()
    .positive()
    .default(512)
    .describe('HTTP requests at the same time; further ones get status 503.'),
  httpBodyBytes: z
    .int()
    .positive()
    .default(268_435_456)
    .describe(
      'Bytes that the bodies of all current HTTP requests may take together; further ones get status 503. One body may have 32 MiB (status 413).',
    ),
});
