import * as z from 'zod';

import { isServerName } from '../core/index.js';
import { LimitSettings } from './limits.js';
import { profileSettings } from './profiles.js';
import { ServerEntry } from './server-entry.js';
import { Speculation } from './speculation.js';
import { ToolSettings } from './tool-overrides.js';

/**
 * Every knob of `pml.json`, with default and unit. The JSON Schema published with the package is
 * generated from here, so descriptions are what a user reads in the editor.
 */

const glob = z.string().min(1);
const globs = z.array(glob);

const exposureMode = z.enum(['meta', 'proxy', 'hybrid']);

const exposure = z.strictObject({
  mode: exposureMode
    .default('meta')
    .describe(
      'meta: the five meta-tools. proxy: every tool as server__tool. hybrid: the meta-tools and the pinned tools.',
    ),
  pin: globs
    .default([])
    .describe('hybrid: globs of the server:tool names that PML lists beside the meta-tools.'),
  capabilities: globs
    .default([])
    .describe('Globs of the capability names that PML lists as tools cap__name, in every mode.'),
  skills: z
    .boolean()
    .default(true)
    .describe('PML also publishes its capabilities as Skills: skill://pml/NAME/SKILL.md.'),
});

const exposureChoice = z.union([
  exposureMode.transform((mode) => exposure.parse({ mode })),
  exposure,
]);

const askPerson = z
  .strictObject({ tool: glob, by: z.literal('person') })
  .describe(
    'Only the user may approve the call: in the dialog of the client, in the dashboard, or with `pml continue`.',
  );

const askRules = z.array(z.union([glob, askPerson])).default([]);

const permissions = z.strictObject({
  allow: globs
    .default([])
    .describe(
      'Globs of server:tool that run without a question, however risky. ask and deny win. PML also runs a tool that no rule names, unless the tool is risky.',
    ),
  ask: askRules.describe(
    'Globs of server:tool that need an approval: a run stops before the call. A listed tool that a client calls by its own name asks the user; if the client cannot ask, PML refuses the call. {"tool": glob, "by": "person"}: only the user may approve, never an agent.',
  ),
  deny: globs
    .default([])
    .describe(
      'Globs of server:name that PML refuses and does not list: tools, prompts, and resources by their URI (files:file:///secret/*). server:* denies everything of a server. Wins over all other rules.',
    ),
  read: globs
    .default([])
    .describe(
      'Globs of server:tool that only read, whatever their name and their server say: pml_read may call them, and PML may retry them.',
    ),
});

const workflows = z.strictObject({
  approve: z
    .enum(['risky', 'per_layer', 'never'])
    .default('risky')
    .describe(
      'When a run stops and asks: before risky tools, before every layer (per_layer), or never, except for permissions.ask. A request can only ask for more stops.',
    ),
  guesses: z
    .enum(['ask', 'show', 'refuse'])
    .default('ask')
    .describe(
      'How PML treats arguments that it filled in itself, before a tool that may change something. ask: the run stops and asks. show: the run continues and shows them. refuse: PML refuses the plan.',
    ),
  answerWithinMs: z
    .int()
    .nonnegative()
    .default(50_000)
    .describe('After this time PML answers "running" and the run continues, in milliseconds.'),
  onDisconnect: z
    .enum(['continue', 'abort'])
    .default('continue')
    .describe('Whether a run continues or aborts when its client disconnects.'),
  taskTimeoutMs: z
    .int()
    .positive()
    .optional()
    .describe('Longest wait for one task, in milliseconds. Default: the limit of its server.'),
  retries: z
    .int()
    .min(0)
    .max(10)
    .default(2)
    .describe('How often PML retries an idempotent call after a temporary failure, 0 to 10.'),
  idempotent: globs
    .default([])
    .describe('Globs of server:tool that PML may repeat without harm, whatever their server says.'),
  keepRuns: z.int().min(1).default(500).describe('Finished runs that PML keeps.'),
  keepDays: z.int().min(1).default(30).describe('Days after which PML deletes a finished run.'),
});

const code = z.strictObject({
  timeoutMs: z
    .int()
    .positive()
    .default(300_000)
    .describe(
      'Longest time for a script, including its calls but not its pauses for decisions, in milliseconds.',
    ),
  cpuMs: z
    .int()
    .positive()
    .default(30_000)
    .describe('CPU time of the script itself, in milliseconds.'),
  memoryBytes: z
    .int()
    .min(16_000_000)
    .default(256_000_000)
    .describe('Memory that a script may use, in bytes.'),
  allMemoryBytes: z
    .int()
    .min(256_000_000)
    .default(2_000_000_000)
    .describe(
      'Memory that the processes of all scripts may use together, in bytes; PML stops the largest. Linux only. Needs pml restart.',
    ),
  calls: z.int().positive().default(1_000).describe('Largest number of calls in one script.'),
  outputBytes: z
    .int()
    .min(1_000)
    .default(16_000_000)
    .describe('Longest result of a script, and longest arguments of one of its calls, in bytes.'),
  logLines: z.int().nonnegative().default(200).describe('Lines that a script may print.'),
  processes: z
    .int()
    .positive()
    .default(8)
    .describe('Scripts that compute at the same time; further scripts wait. Needs pml restart.'),
  awakeMs: z
    .int()
    .nonnegative()
    .default(60_000)
    .describe(
      'How long a script that waits for a decision stays in memory, in milliseconds. After that, PML replays it from the journal.',
    ),
});

const capabilities = z.strictObject({
  verifyDaily: z
    .boolean()
    .default(false)
    .describe(
      'PML verifies quarantined capabilities that only read: one an hour, each once a day, when nothing else runs.',
    ),
});

const context = z.strictObject({
  windowTokens: z
    .int()
    .positive()
    .default(200_000)
    .describe('Context window of the model that your agent uses, in tokens.'),
  share: z
    .number()
    .gt(0)
    .max(1)
    .default(0.05)
    .describe(
      'Share of the context window that PML may use for its own text: tool list, searches, plans, runs.',
    ),
});

const dashboard = z.strictObject({
  port: z
    .int()
    .min(1)
    .max(65_535)
    .optional()
    .describe(
      'Port of the dashboard on loopback. Default: a free port that PML chooses at the first start and keeps.',
    ),
});

const httpAuth = z.strictObject({
  issuer: z.url({ protocol: /^https?$/ }).describe('Issuer of the tokens, as in their claim iss.'),
  audience: z.string().min(1).describe('What a token must be meant for, as in its claim aud.'),
  scopes: z
    .array(z.string().min(1))
    .default([])
    .describe('Scopes that every request needs; without one PML answers 403 insufficient_scope.'),
  servers: z
    .array(z.string().min(1))
    .default(['*'])
    .describe('Globs of the servers that clients with such a token may use.'),
  readOnly: z.boolean().default(false).describe('true allows only tools that change nothing.'),
});

const http = z.strictObject({
  host: z.string().default('127.0.0.1').describe('Where `pml serve --http` listens.'),
  port: z
    .int()
    .min(0)
    .max(65_535)
    .default(7717)
    .describe('Port of `pml serve --http`; 0: any free port.'),
  token: z
    .union([z.string().min(16), z.literal(false)])
    .optional()
    .describe(
      'Bearer token of 16 characters or more, such as "${PML_TOKEN}". Default: PML makes one of 256 bits at the first start and keeps it in http-token of the data directory. false: no token, on loopback only.',
    ),
  allowedHosts: z
    .array(z.string())
    .default([])
    .describe('Further values of the Host header that PML accepts.'),
  auth: httpAuth
    .optional()
    .describe('Accepts access tokens (JWT) that an authorization server issued for this endpoint.'),
});

/** The model takes 135 MB, and is loaded within a second. */
const DEFAULT_MODEL_IDLE_MS = 300_000;

const embedding = z.strictObject({
  model: z
    .string()
    .min(1)
    .default('gte-small')
    .describe(
      'gte-small (built in), bge-m3, none (search by words and memory only), or the path of a folder with a BERT-style ONNX model.',
    ),
  path: z.string().optional().describe('bge-m3: the folder of the model on this machine.'),
  allowDownload: z
    .boolean()
    .default(false)
    .describe('bge-m3: PML may download the model from the Hugging Face hub.'),
  idleMs: z
    .int()
    .min(0)
    .default(DEFAULT_MODEL_IDLE_MS)
    .describe(
      'Milliseconds without a request after which PML unloads the model. It loads again in the background with the next request. 0: never.',
    ),
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
  $schema: z
    .string()
    .optional()
    .describe('Path of pml.schema.json, for completion in editors. PML ignores it.'),
  mcpServers: z
    .record(
      z.string().refine(isServerName, {
        error:
          'server names hold letters, digits, ".", "_" or "-", at most 64, no "__", and are not "pml"',
      }),
      ServerEntry,
    )
    .default({})
    .describe('The servers behind PML, in the format every MCP client uses.'),
  exposure: exposureChoice
    .prefault({})
    .describe('Which tools agents see: a mode name, or an object with these keys.'),
  permissions: permissions
    .prefault({})
    .describe('Which calls PML allows, asks about or refuses. deny wins over ask, ask over allow.'),
  profiles: z
    .record(
      z.string().regex(/^[A-Za-z0-9][\w.-]{0,63}$/, {
        error: 'names of profiles hold letters, digits, ".", "_" or "-", at most 64',
      }),
      profileSettings({ exposure: exposureChoice, ask: askRules }),
    )
    .default({})
    .describe(
      'Narrower views of this configuration, by name: fewer servers, stricter permissions.',
    ),
  profile: z
    .string()
    .optional()
    .describe('The profile of clients that name none. Default: the whole configuration.'),
  tools: ToolSettings.prefault({}).describe('What PML changes of tools before agents see them.'),
  definitionChanges: z
    .enum(['warn', 'block'])
    .default('warn')
    .describe(
      'warn: PML logs a changed tool definition. block: PML refuses the tool until `pml tools approve`; a call waits until PML has compared the current list of the server.',
    ),
  newTools: z
    .enum(['allow', 'ask'])
    .default('allow')
    .describe(
      'ask: PML refuses a tool that appears later on a known server until `pml tools approve`.',
    ),
  limits: LimitSettings.prefault({}).describe('Upper bounds for time, size and concurrency.'),
  workflows: workflows.prefault({}).describe('How PML runs workflows.'),
  code: code.prefault({}).describe('Limits of scripts.'),
  capabilities: capabilities.prefault({}).describe('What PML does with learned capabilities.'),
  context: context.prefault({}).describe('How much of the context window PML may use.'),
  speculation: Speculation,
  learning: learning.prefault({}).describe('What PML may learn from past executions.'),
  http: http.prefault({}).describe('Where and how `pml serve --http` serves.'),
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
          idleMs: DEFAULT_MODEL_IDLE_MS,
        })),
      embedding,
    ])
    .prefault({})
    .describe(
      'The model that compares texts by meaning: a model name, or an object with these keys.',
    ),
  database: z
    .string()
    .regex(/^(embedded$|postgres(ql)?:\/\/)/, { error: 'expected "embedded" or postgres://…' })
    .default('embedded')
    .describe('embedded, or postgres://… for a PostgreSQL server, 15 or newer.'),
  signInKey: z
    .string()
    .min(32)
    .optional()
    .describe(
      'PostgreSQL: encrypts sign-ins to remote servers in the database, 32 random characters or more, such as "keychain:pml-sign-ins". Gateways with the same key share them. Default: a key that PML makes for each user and machine. Needs pml restart.',
    ),
  dataDir: z
    .string()
    .optional()
    .describe(
      'Where PML keeps its data, relative to this file. Default: ~/.pml; for other files ~/.pml/projects/HASH. --data-dir and PML_DATA_DIR win.',
    ),
  logLevel: z
    .enum(['debug', 'info', 'warn', 'error'])
    .default('info')
    .describe('How much PML writes to its log.'),
});

export type ConfigFile = z.infer<typeof ConfigFile>;
