/**
 * Every command as data: group, description, examples. Nothing here loads a command, so that
 * `pml --help` and completion stay quick.
 */
export const GROUPS = ['Set up', 'Serve', 'Tools', 'Workflows', 'What PML learned'] as const;

export interface CommandExample {
  /** Without `pml`. */
  readonly line: string;
  readonly does: string;
}

export interface CommandEntry {
  readonly name: string;
  readonly group: (typeof GROUPS)[number];
  readonly summary: string;
  /** Of the command itself, and of its subcommands: each line names the subcommand. */
  readonly examples: readonly CommandExample[];
}

const example = (line: string, does: string): CommandExample => ({ line, does });

/** In the order of the help. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'init',
    group: 'Set up',
    summary: 'Import the MCP servers of your clients and put PML in front of them',
    examples: [
      example('init', 'choose clients and import their servers'),
      example('init --client cursor --dry-run', 'show what would change for Cursor'),
    ],
  },
  {
    name: 'eject',
    group: 'Set up',
    summary: 'Put the files of your clients back as they were before `pml init`',
    examples: [
      example('eject', 'undo `pml init` for all clients'),
      example('eject --client cursor', 'only for Cursor'),
    ],
  },
  {
    name: 'add',
    group: 'Set up',
    summary: 'Add a server: show what it starts, ask, write the configuration, and try it',
    examples: [
      example('add files -- npx -y @modelcontextprotocol/server-filesystem .', 'from a command'),
      example('add ./server.json', 'from a file in the format of the MCP registry'),
      example('add io.github.user/weather --env UNITS=metric', 'from the official registry'),
      example('add crm --url https://crm.example.com/mcp', 'a remote server'),
    ],
  },
  {
    name: 'remove',
    group: 'Set up',
    summary: 'Remove a server from the configuration',
    examples: [example('remove files', 'show the entry, ask, and take it out')],
  },
  {
    name: 'doctor',
    group: 'Set up',
    summary: 'Check the whole set-up, starting every server, and say how to fix what is wrong',
    examples: [example('doctor', 'check everything')],
  },
  {
    name: 'demo',
    group: 'Set up',
    summary: 'Show a session over sample servers: what an agent sees, what it costs and saves',
    examples: [example('demo', 'play the session in a temporary folder')],
  },
  {
    name: 'trust',
    group: 'Set up',
    summary: 'Approve the pml.json of this directory, after showing what it starts',
    examples: [
      example('trust', 'show what the file starts'),
      example('trust --yes', 'approve exactly that'),
    ],
  },
  {
    name: 'auth',
    group: 'Set up',
    summary: 'Sign in to remote servers, and show where PML is signed in',
    examples: [
      example('auth login github', 'sign in to the server github in the browser'),
      example('auth login github --no-browser', 'on a machine without a browser'),
      example('auth status', 'all remote servers'),
      example('auth logout github', 'forget the tokens'),
    ],
  },
  {
    name: 'token',
    group: 'Serve',
    summary: 'Make, list and revoke tokens for clients of `pml serve --http`',
    examples: [
      example(
        "token create --name ci --servers 'github*' --read-only --expires 30d",
        'a token that may only read from servers that begin with github',
      ),
      example('token list', 'all of them, without their secrets'),
      example('token revoke ci', 'refuse its clients from now on'),
    ],
  },
  {
    name: 'service',
    group: 'Set up',
    summary: 'Start PML over HTTP with your session: a systemd user unit, or launchd on macOS',
    examples: [
      example('service install', 'show the file, ask, then install and start it'),
      example('service uninstall', 'stop it and remove the file'),
    ],
  },
  {
    name: 'completion',
    group: 'Set up',
    summary: 'Print a completion script for bash, zsh or fish',
    examples: [
      example('completion bash > ~/.local/share/bash-completion/completions/pml', 'for bash'),
      example('completion zsh > ~/.zfunc/_pml', 'for zsh, where ~/.zfunc is in fpath'),
      example('completion fish > ~/.config/fish/completions/pml.fish', 'for fish'),
    ],
  },
  {
    name: 'version',
    group: 'Set up',
    summary: 'Print the version and the build',
    examples: [example('version --json', 'as JSON')],
  },
  {
    name: 'serve',
    group: 'Serve',
    summary: 'Serve MCP: over stdio for one client, or with --http for many',
    examples: [
      example('serve', 'what a client starts'),
      example('serve --http --port 7717', 'over HTTP until Ctrl-C'),
    ],
  },
  {
    name: 'ui',
    group: 'Serve',
    summary: 'Open the dashboard in the browser',
    examples: [example('ui --no-browser', 'print the address only')],
  },
  {
    name: 'status',
    group: 'Serve',
    summary: 'Show the daemon, its servers, clients, store, search and the tokens saved',
    examples: [example('status', 'everything'), example('status --json', 'for scripts')],
  },
  {
    name: 'logs',
    group: 'Serve',
    summary: 'Show the log of the daemon, or what one server prints on stderr',
    examples: [
      example('logs -n 100', 'the last 100 lines of the daemon'),
      example('logs github -f', 'what the server github prints, as it comes'),
    ],
  },
  {
    name: 'restart',
    group: 'Serve',
    summary: 'End the daemon and start it again; connected clients stay connected',
    examples: [example('restart', 'after an update of PML')],
  },
  {
    name: 'stop',
    group: 'Serve',
    summary: 'End the daemon and all servers it started',
    examples: [example('stop', 'the next client starts it again')],
  },
  {
    name: 'list',
    group: 'Tools',
    summary: 'List the names of servers, tools, capabilities or runs, one a line',
    examples: [example('list', 'servers'), example('list tools', 'tools')],
  },
  {
    name: 'tools',
    group: 'Tools',
    summary: 'List the tools behind PML, and what their schemas cost',
    examples: [
      example('tools --server github', 'the tools of one server'),
      example('tools --tokens', 'what the schemas cost an agent'),
      example('tools show github:create_issue', 'one tool with its parameters'),
      example('tools changes', 'how definitions changed'),
      example('tools approve github:create_issue', 'accept a changed definition'),
      example('tools refresh github', 'read the list of a server again'),
    ],
  },
  {
    name: 'search',
    group: 'Tools',
    summary: 'Find tools for an intent, as agents do with pml_discover',
    examples: [
      example('search "open an issue"', 'the ten best'),
      example('search "open an issue" --why', 'with the reasons'),
    ],
  },
  {
    name: 'call',
    group: 'Tools',
    summary: 'Call one tool with its parameters as options',
    examples: [
      example('call filesystem:read_text_file --path notes.txt', 'one parameter'),
      example(`call github:create_issue --args '{"title": "Bug"}'`, 'arguments as JSON'),
      example('call filesystem:read_text_file --help', 'the options of a tool'),
    ],
  },
  {
    name: 'result',
    group: 'Tools',
    summary: 'Print a long result that PML keeps under a handle',
    examples: [
      example('result res_3f2a', 'all of it'),
      example('result res_3f2a --path items[0].title', 'one part of it'),
    ],
  },
  {
    name: 'index',
    group: 'Tools',
    summary: 'Bring the search by meaning up to date, and show how far it is',
    examples: [example('index --rebuild', 'from the beginning')],
  },
  {
    name: 'run',
    group: 'Workflows',
    summary: 'Run a plan or a script from a file and stay with it until it ends or asks something',
    examples: [
      example('run plan.json --dry-run', 'check a plan and call nothing'),
      example('run plan.json --intent "weekly report"', 'run it'),
      example(`run report.ts --args '{"month": "May"}'`, 'run a TypeScript script over your tools'),
    ],
  },
  {
    name: 'runs',
    group: 'Workflows',
    summary: 'List runs, newest first',
    examples: [
      example('runs -n 5', 'the last five'),
      example('runs --open', 'those that run or wait for you'),
    ],
  },
  {
    name: 'show',
    group: 'Workflows',
    summary: 'Show a run: tasks, times, results, decisions, and what it asks; or a capability',
    examples: [example('show latest', 'the newest run')],
  },
  {
    name: 'watch',
    group: 'Workflows',
    summary: 'Watch a run from its start until it ends or asks something',
    examples: [example('watch latest', 'the newest run')],
  },
  {
    name: 'continue',
    group: 'Workflows',
    summary: 'Decide what a run asks, change it or end it; then stay with it',
    examples: [
      example('continue latest approve', 'let the newest run go on'),
      example('continue latest reject --message "wrong repository"', 'say no, and why'),
    ],
  },
  {
    name: 'capabilities',
    group: 'What PML learned',
    summary: 'List, show, run and change what PML learned from code that worked',
    examples: [
      example('capabilities', 'all of them'),
      example('capabilities show weekly_report', 'one with its code'),
      example(`capabilities run weekly_report --args '{"month": "May"}'`, 'run it'),
      example('capabilities export --out capabilities.json', 'for another machine'),
    ],
  },
  {
    name: 'explain',
    group: 'What PML learned',
    summary: 'Show why a plan is as it is, or what a run came from and taught',
    examples: [
      example('explain latest', 'the newest run'),
      example('explain copy the report to the wiki', 'the plan for a request'),
    ],
  },
  {
    name: 'metrics',
    group: 'What PML learned',
    summary: 'Show how often PML is right, and how good its search is',
    examples: [
      example('metrics', 'how often PML was right'),
      example('metrics ranking', 'how good the search is'),
    ],
  },
  {
    name: 'graph',
    group: 'What PML learned',
    summary: 'Show which tools and capabilities are used together, learned from executions',
    examples: [
      example('graph', 'how big it is'),
      example('graph show filesystem:read_text_file', 'one tool with its edges'),
    ],
  },
  {
    name: 'import',
    group: 'What PML learned',
    summary: 'Remember past executions from a file of JSON lines, and learn from them',
    examples: [example('import requests.jsonl', 'a file of JSON lines')],
  },
  {
    name: 'forget',
    group: 'What PML learned',
    summary: 'Delete what PML learned from its predictions',
    examples: [example('forget speculation', 'all of it')],
  },
];

export function findCommand(name: string): CommandEntry | undefined {
  return COMMANDS.find((entry) => entry.name === name);
}
