import * as z from 'zod';

/** One entry of `mcpServers` in `pml.json`. */

const globs = z.array(z.string().min(1));

const toolFilter = z
  .strictObject({
    allow: globs.optional().describe('Globs of the tool names to keep. Default: all tools.'),
    deny: globs.optional().describe('Globs of the tool names to hide. Wins over tools.allow.'),
  })
  .describe('Which tools of this server exist for agents.');

const perServer = {
  enabled: z
    .boolean()
    .default(true)
    .describe('false keeps the entry, but PML never starts the server.'),
  tools: toolFilter.optional(),
  timeoutMs: z
    .int()
    .positive()
    .optional()
    .describe(
      'Longest wait for one answer of this server, in milliseconds. Default: limits.callTimeoutMs.',
    ),
  maxConcurrency: z
    .int()
    .positive()
    .optional()
    .describe(
      'Calls that this server gets at the same time; further calls wait. Default: limits.serverConcurrency.',
    ),
  isolation: z
    .enum(['shared', 'per-client'])
    .default('shared')
    .describe(
      'shared: all clients use one process. per-client: every agent session gets its own process; a stateless HTTP client must send the header PML-Client.',
    ),
  start: z
    .enum(['lazy', 'background'])
    .optional()
    .describe(
      'lazy (default): PML starts the server with the first call. background: as soon as the daemon runs.',
    ),
};

/** A server started as a child process. */
export const StdioServer = z.strictObject({
  type: z.literal('stdio').optional(),
  command: z
    .string()
    .min(1)
    .describe(
      'Program to start; ./x is relative to this file. PML replaces ${NAME} and ${NAME:-default} from the environment.',
    ),
  args: z.array(z.string()).default([]).describe('Arguments of the program.'),
  env: z
    .record(z.string(), z.string())
    .default({})
    .describe(
      'Variables that PML adds to a minimal environment (PATH, HOME, locale, proxy). The server sees no other variable.',
    ),
  cwd: z
    .string()
    .optional()
    .describe(
      'Working directory, relative to this file. Default: the folder of this file; for ~/.pml/pml.json your home directory.',
    ),
  ...perServer,
});

/** A server reached by URL. */
export const RemoteServer = z.strictObject({
  type: z
    .enum(['http', 'streamable-http', 'streamableHttp', 'sse'])
    .optional()
    .describe(
      'How PML talks to the server. Default: stdio with command, http (streamable HTTP) with url. PML also detects sse, the first HTTP revision, by itself.',
    ),
  url: z.url({ protocol: /^https?$/ }).describe('Address of a remote server, instead of command.'),
  headers: z
    .record(z.string(), z.string())
    .default({})
    .describe(
      'HTTP headers that PML sends with every request. Keep secrets in the environment: "Bearer ${TOKEN}".',
    ),
  ...perServer,
});

export const ServerEntry = z.union([StdioServer, RemoteServer]);
export type ServerEntry = z.infer<typeof ServerEntry>;
