import * as z from 'zod';

import { isServerName } from '../core/index.js';
import { Speculation } from './speculation.js';

/**
 * Every knob of `pml.json`, with default and unit. The JSON Schema published with the package is
 * generated from here, so descriptions are what a user reads in the editor.
 */

const glob = z.string().min(1);
const globs = z.array(glob);

const toolFilter = z
  .strictObject({
    allow: globs.optional().describe('Globs of tool names to keep. Default: all.'),
    deny: globs.optional().describe('Globs of tool names to hide. Wins over allow.'),
  })
  .describe('Which tools of this server exist for agents.');

const perServer = {
  enabled: z.boolean().default(true).describe('false keeps the entry but never starts the server.'),
  tools: toolFilter.optional(),
  timeoutMs: z
    .int()
    .positive()
    .optional()
    .describe('Longest wait for one answer of this server, in milliseconds.'),
  maxConcurrency: z
    .int()
    .positive()
    .optional()
    .describe('Calls this server gets at the same time; more wait in line.'),
  isolation: z
    .enum(['shared', 'per-client'])
    .default('shared')
    .describe('per-client gives every agent session its own server process.'),
  start: z
    .enum(['lazy', 'background'])
    .optional()
    .describe('lazy: at the first call. background: as soon as the daemon runs.'),
};

/** A server started as a child process. */
export const StdioServer = z.strictObject({
  type: z.literal('stdio').optional(),
  command: z.string().min(1).describe('Program to start. ${ENV} and ${ENV:-default} are replaced.'),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}).describe('Added to a minimal environment.'),
  cwd: z.string().optional().describe('Working directory, relative to this file.'),
  ...perServer,
});

/** A server reached by URL. */
export const RemoteServer = z.strictObject({
  type: z
    .enum(['http', 'streamable-http', 'streamableHttp', 'sse'])
    .optional()
    .describe('Default http (streamable HTTP).'),
  url: z.url({ protocol: /^https?$/ }),
  headers: z
    .record(z.string(), z.string())
    .default({})
    .describe('Sent with every request; keep secrets in the environment: "Bearer ${TOKEN}".'),
  ...perServer,
});

const serverEntry = z.union([StdioServer, RemoteServer]);

const exposureMode = z.enum(['meta', 'proxy', 'hybrid']);

const exposure = z.strictObject({
  mode: exposureMode
    .default('meta')
    .describe(
      'meta: a few meta-tools. proxy: every tool as server__tool. hybrid: meta-tools and pinned tools.',
    ),
  pin: globs.default([]).describe('hybrid: globs of server:tool to list beside the meta-tools.'),
  capabilities: globs
    .default([])
    .describe('Globs of names of capabilities to list as tools cap__name, in every mode.'),
  skills: z
    .boolean()
    .default(true)
    .describe('Capabilities that are offered are Skills too: skill://pml/<name>/SKILL.md.'),
});

const askPerson = z
  .strictObject({ tool: glob, by: z.literal('person') })
  .describe('Only the user may approve it: where the client asks, or with `pml continue`.');

const permissions = z.strictObject({
  allow: globs
    .default([])
    .describe('Globs of server:tool that may run without a question. ask and deny win over it.'),
  ask: z
    .array(z.union([glob, askPerson]))
    .default([])
    .describe(
      'Globs of server:tool that need an approval; {"tool": glob, "by": "person"}: of a person, never of an agent.',
    ),
  deny: globs
    .default([])
    .describe(
      'Globs of server:name that are refused and not listed: tools, prompts, and resources by their URI. server:* denies all of a server. Wins.',
    ),
  read: globs
    .default([])
    .describe(
      'Globs of server:tool that change nothing, whatever their name and their server say.',
    ),
});

const limits = z.strictObject({
  callTimeoutMs: z.int().positive().default(120_000).describe('Longest wait for a tool call.'),
  startTimeoutMs: z
    .int()
    .positive()
    .default(30_000)
    .describe('Longest wait for a server to start.'),
  idleStopMs: z
    .int()
    .nonnegative()
    .default(600_000)
    .describe('Stops a server after this time without a call; 0 never.'),
  daemonIdleMs: z
    .int()
    .nonnegative()
    .default(900_000)
    .describe('The daemon ends after this time without a client; 0 never.'),
  serverConcurrency: z.int().positive().default(64).describe('Default maxConcurrency of a server.'),
  runConcurrency: z
    .int()
    .positive()
    .default(16)
    .describe('Tasks of one workflow at the same time.'),
  runTasks: z.int().positive().default(200).describe('Most tasks in one workflow.'),
  backgroundStarts: z.int().positive().default(4).describe('Servers started at the same time.'),
  resultBytes: z
    .int()
    .min(1_000)
    .default(32_000)
    .describe('A longer text result is kept and answered as preview and handle.'),
  previewBytes: z.int().min(200).default(1_500).describe('Size of such a preview.'),
  keptResultBytes: z
    .int()
    .positive()
    .default(256_000_000)
    .describe('Memory for kept results; those not used for longest leave it first.'),
  resultTtlMs: z
    .int()
    .min(1_000)
    .default(604_800_000)
    .describe('How long a kept result can be read, in the store and after a restart.'),
  storedResultBytes: z
    .int()
    .nonnegative()
    .default(256_000_000)
    .describe('What kept results may take in the store, compressed; the oldest are deleted.'),
  messageBytes: z
    .int()
    .positive()
    .default(134_217_728)
    .describe(
      'A longer message of a server, local or remote, is refused and its connection ended.',
    ),
  tools: z.int().positive().default(20_000).describe('Most tools taken from one server.'),
  httpClients: z
    .int()
    .positive()
    .default(200)
    .describe('Sessions, known stateless clients and listeners over HTTP; further ones get 503.'),
  httpRequests: z
    .int()
    .positive()
    .default(512)
    .describe('HTTP requests that are read or answered at the same time; further ones get 503.'),
  httpBodyBytes: z
    .int()
    .positive()
    .default(268_435_456)
    .describe('What the bodies of such requests may take together; further ones get 503.'),
});

const workflows = z.strictObject({
  approve: z
    .enum(['risky', 'per_layer', 'never'])
    .default('risky')
    .describe('Before what a workflow stops and asks. A request can only ask for more stops.'),
  guesses: z
    .enum(['ask', 'show', 'refuse'])
    .default('ask')
    .describe(
      'What becomes of arguments that PML filled in: before a tool that may change something a workflow stops and asks, it only shows them, or such a plan is refused.',
    ),
  answerWithinMs: z
    .int()
    .nonnegative()
    .default(50_000)
    .describe('After this time a workflow answers "running" and goes on.'),
  onDisconnect: z
    .enum(['continue', 'abort'])
    .default('continue')
    .describe('What becomes of a run whose client goes away.'),
  taskTimeoutMs: z
    .int()
    .positive()
    .optional()
    .describe('Longest wait for one task; default: what the server has.'),
  retries: z
    .int()
    .min(0)
    .max(10)
    .default(2)
    .describe('How often a call that may be repeated is tried again after a passing failure.'),
  idempotent: globs
    .default([])
    .describe('Globs of server:tool that may be repeated without harm, whatever they say.'),
  keepRuns: z.int().min(1).default(500).describe('Finished runs that are kept.'),
  keepDays: z.int().min(1).default(30).describe('Days after which a finished run is forgotten.'),
});

const code = z.strictObject({
  timeoutMs: z
    .int()
    .positive()
    .default(300_000)
    .describe('Longest time for a script, waiting for its calls included.'),
  cpuMs: z.int().positive().default(30_000).describe('Computing time of a script itself.'),
  memoryBytes: z.int().min(16_000_000).default(256_000_000).describe('Memory a script may use.'),
  calls: z.int().positive().default(1_000).describe('Most calls of one script.'),
  outputBytes: z
    .int()
    .min(1_000)
    .default(16_000_000)
    .describe('Longest result, or arguments of one call, of a script.'),
  logLines: z.int().nonnegative().default(200).describe('Lines a script may print.'),
  processes: z.int().positive().default(8).describe('Scripts at the same time; more wait in line.'),
  awakeMs: z
    .int()
    .nonnegative()
    .default(60_000)
    .describe('How long a script that waits for a decision stays in memory.'),
});

const capabilities = z.strictObject({
  verifyDaily: z
    .boolean()
    .default(false)
    .describe('Tries those in quarantine that can only read again, one an hour, each once a day.'),
});

const context = z.strictObject({
  windowTokens: z.int().positive().default(200_000).describe('Context window of the agent model.'),
  share: z
    .number()
    .gt(0)
    .max(1)
    .default(0.05)
    .describe(
      'Part of the window that PML may use for its own words: menu, lists, searches, plans, runs.',
    ),
});

const dashboard = z.strictObject({
  port: z
    .int()
    .min(1)
    .max(65_535)
    .optional()
    .describe('Default: one that is free at the first start, and the same from then on.'),
});

const http = z.strictObject({
  host: z.string().default('127.0.0.1'),
  port: z.int().min(0).max(65_535).default(7717),
  token: z
    .union([z.string().min(16), z.literal(false)])
    .optional()
    .describe(
      'Bearer token, e.g. "${PML_TOKEN}". Default: one made at the first start, in http-token of the data directory. false: none, on loopback only.',
    ),
  allowedHosts: z.array(z.string()).default([]).describe('Further Host names to accept.'),
});

const embedding = z.strictObject({
  model: z
    .string()
    .min(1)
    .default('gte-small')
    .describe(
      'gte-small (built in), bge-m3, none (search by words only), or the path of a folder with a BERT-style ONNX model.',
    ),
  path: z.string().optional().describe('bge-m3: where the model is on this machine.'),
  allowDownload: z
    .boolean()
    .default(false)
    .describe('bge-m3: may be fetched from the Hugging Face hub.'),
});

/** What PML may learn from past executions. Each part is used only where it proves useful. */
const learning = z.strictObject({
  attention: z
    .boolean()
    .default(true)
    .describe(
      'Heads that attend to the tools a request is about, and vote for the tools that came with them in past runs. false: plans are made without them.',
    ),
});

/**
 * The whole file. The loader checks each server by itself with `StdioServer` or `RemoteServer`, told
 * apart by the key each must have, so that an error speaks of the right kind.
 */
export const ConfigFile = z.strictObject({
  $schema: z.string().optional().describe('JSON Schema for editors; PML ignores it.'),
  mcpServers: z
    .record(
      z.string().refine(isServerName, {
        error:
          'server names hold letters, digits, ".", "_" or "-", at most 64, no "__", and are not "pml"',
      }),
      serverEntry,
    )
    .default({})
    .describe('The servers behind PML, in the format every MCP client uses.'),
  exposure: z
    .union([exposureMode.transform((mode) => exposure.parse({ mode })), exposure])
    .prefault({})
    .describe('What agents see: a mode name, or an object.'),
  permissions: permissions.prefault({}),
  definitionChanges: z
    .enum(['warn', 'block'])
    .default('warn')
    .describe('block: a tool whose definition changed is refused until `pml tools approve`.'),
  newTools: z
    .enum(['allow', 'ask'])
    .default('allow')
    .describe('ask: a tool that appears on a known server is refused until `pml tools approve`.'),
  limits: limits.prefault({}),
  workflows: workflows.prefault({}),
  code: code.prefault({}),
  capabilities: capabilities.prefault({}),
  context: context.prefault({}),
  speculation: Speculation,
  learning: learning.prefault({}),
  http: http.prefault({}),
  dashboard: z
    .union([z.boolean(), dashboard])
    .default(true)
    .describe('The page of `pml ui`, on loopback: false turns it off, an object sets its port.'),
  embedding: z
    .union([
      z
        .string()
        .min(1)
        .transform((model) => ({
          model,
          path: undefined as string | undefined,
          allowDownload: false,
        })),
      embedding,
    ])
    .prefault({})
    .describe('How texts are compared by meaning: a model name, or an object.'),
  database: z
    .string()
    .regex(/^(embedded$|postgres(ql)?:\/\/)/, { error: 'expected "embedded" or postgres://…' })
    .default('embedded'),
  dataDir: z.string().optional().describe('Where PML keeps its data, relative to this file.'),
  logLevel: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
});

export type ConfigFile = z.infer<typeof ConfigFile>;
export type ServerEntry = z.infer<typeof serverEntry>;
