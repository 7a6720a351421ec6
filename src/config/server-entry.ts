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

const oauth = z
  .strictObject({
    clientId: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Id of a client that you registered at the authorization server. Default: PML registers itself.',
      ),
    clientSecret: z
      .string()
      .min(1)
      .optional()
      .describe('Secret of that client. Write a reference: "${NAME}" or "keychain:name".'),
    scopes: z
      .array(z.string().min(1))
      .optional()
      .describe('Permissions to ask for. Default: those that the server names.'),
    redirectUri: z
      .url()
      .optional()
      .describe(
        'Where the browser returns to. Default: http://127.0.0.1:<callbackPort>/callback. If it is not on this machine, paste the address into pml auth login.',
      ),
    callbackPort: z
      .int()
      .min(1)
      .max(65_535)
      .optional()
      .describe('Port for the return of the browser. Default: 17717, or any if that is in use.'),
    clientMetadataUrl: z
      .url({ protocol: /^https$/ })
      .optional()
      .describe('Address of a client id metadata document that describes PML as a client.'),
    grant: z
      .enum(['authorization_code', 'client_credentials'])
      .default('authorization_code')
      .describe(
        'authorization_code: a person signs in. client_credentials: PML signs in with clientId and clientSecret.',
      ),
    allowPrivateAddresses: z
      .boolean()
      .default(false)
      .describe(
        'true allows an authorization server in a private network although the server is not there.',
      ),
  })
  .describe('How PML signs in to this server, if it asks for OAuth.');

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
  oauth: oauth.optional(),
  ...perServer,
});

export const ServerEntry = z.union([StdioServer, RemoteServer]);
export type ServerEntry = z.infer<typeof ServerEntry>;
