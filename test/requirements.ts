export interface Requirement {
  readonly id: string;
  /** What a user may rely on. */
  readonly promise: string;
}

/**
 * What this release promises. A test cites an id in its name, `[ID]`, or in a comment above it,
 * `// covers: ID`; `requirements.test.ts` fails for a promise that no test cites.
 */
export const REQUIREMENTS: readonly Requirement[] = [
  {
    id: 'HTTP-COMES-BACK',
    promise:
      'serve --http serves the same address again after its daemon was killed, and says to a client that comes back for an open call that it may have been carried out',
  },
  {
    id: 'START-FILES',
    promise:
      'the first list after a start waits neither for the store nor for a server that PML has listed before',
  },
  {
    id: 'DAEMON-SILENT',
    promise: 'a command on a suspended daemon ends with the pid and what to do, and never hangs',
  },
  {
    id: 'OTHER-BUILD',
    promise: 'a command that meets a daemon of another build says so and what to do',
  },
  {
    id: 'INIT-ABSOLUTE',
    promise: 'clients start the Node and the file that ran pml init, and search no PATH for them',
  },
  {
    id: 'DOCTOR-CLIENT',
    promise: 'doctor starts what the user’s clients start and says what is wrong with it',
  },
  {
    id: 'CLOCK-SET',
    promise: 'setting the clock of the machine makes no duration negative or years long',
  },
  {
    id: 'STATUS-REJECTED',
    promise: 'status and doctor say when the daemon does not use the configuration as it is now',
  },
  { id: 'STATUS-TOKENS', promise: '`pml status` shows what PML sent to each session, by kind' },
  {
    id: 'STATUS-STORE',
    promise: 'status and doctor say when the store fails to write',
  },
  {
    id: 'TOOLS-WAIT',
    promise: 'pml tools names the servers it waits for, shows the rest and says what is missing',
  },
  // The documentation.
  { id: 'README-SHORT', promise: 'the README has at most 8 KB and no sentence over 35 words' },
  {
    id: 'README-FIGURES',
    promise: 'the figures of the README are those that the bench `sample` measures',
  },
  { id: 'DOCS-LINKS', promise: 'links and anchors of the documentation lead somewhere' },
  {
    id: 'DOCS-GENERATED',
    promise: 'tables of commands, settings and error codes say what the code says',
  },
  {
    id: 'DOCS-SAMPLES',
    promise: 'JSON, command lines and scripts in the documentation work',
  },
  {
    id: 'DOCS-TRIED',
    promise: 'every section of the documentation names the tests of its statements, or why none',
  },
  // The command line.
  {
    id: 'CLI-HELP',
    promise: 'every command and option is described, and every command has examples that are right',
  },
  { id: 'CLI-WIDTHS', promise: 'no command breaks a word or a table at 60, 80 or 120 columns' },
  { id: 'CLI-QUICK', promise: 'a command loads no part of PML that it does not need to start' },
  {
    id: 'CLI-CALL',
    promise: 'pml call takes the parameters of a tool as options and prints its result alone',
  },
  { id: 'CLI-SCRIPTS', promise: 'pml run runs a script and prints what it returns' },
  {
    id: 'CLI-COMPLETION',
    promise: 'shells complete commands, options, servers, tools, runs and capabilities',
  },
  {
    id: 'CLI-SERVICE',
    promise: 'pml service shows its file before it writes it, and removes it again',
  },
  {
    id: 'PLAIN-WORDS',
    promise: 'messages, comments, test names and pages name the actor and use standard terms',
  },
  {
    id: 'CLI-PLAIN-WORDS',
    promise: 'search --why and explain say reasons in words; weights are behind --verbose',
  },
  {
    id: 'INIT-GUIDES',
    promise:
      'pml init lets the user choose clients, merges identical servers and ends with what to do',
  },
  {
    id: 'EJECT-KEEPS',
    promise: 'pml eject keeps what Claude Code wrote into its file after pml init',
  },
  // What the agent sees.
  { id: 'MENU-SMALL', promise: 'the default tool list and instructions cost at most 450 tokens' },
  {
    id: 'MENU-STRICT',
    promise: 'VS Code, OpenAI models and Gemini accept the schemas of meta-tools and capabilities',
  },
  { id: 'MENU-STABLE', promise: 'the same servers give the same list, byte for byte' },
  { id: 'MENU-LOADED', promise: 'meta-tools ask clients to load them at once' },
  { id: 'NAMES-BARE', promise: 'with one server tools keep their own names' },
  { id: 'NAMES-OWN', promise: 'no server can take the name of another one’s tool' },
  { id: 'NAMES-SHORT', promise: 'no exposed name is longer than clients accept' },
  { id: 'FIND-INTENT', promise: 'a sentence finds the tool that does it' },
  {
    id: 'FIND-EVERYDAY',
    promise:
      'of 30 everyday requests, also vague, misspelt and in other languages, at least 24 find the right tool first and 28 within three',
  },
  {
    id: 'APPROVE-ALL-CALLS',
    promise:
      'one decision approves all calls of a tool in a run; what a person must approve, no agent approves',
  },
  {
    id: 'FIND-HARMLESS-FIRST',
    promise: 'a request that only reads never finds a destructive tool first',
  },
  {
    id: 'BENCH-NO-LEAK',
    promise: 'answers to the questions of a data set never depend on what is right',
  },
  { id: 'FIND-BUDGET', promise: 'search answers stay within the context budget' },
  { id: 'SEARCH-MEANING', promise: 'a tool is found that shares no word with the intent' },
  { id: 'SEARCH-NO-WAIT', promise: 'no agent waits for the embedding model' },
  { id: 'SEARCH-OFFLINE', promise: 'search by meaning needs no network' },
  {
    id: 'SEARCH-WORDS',
    promise: 'without a model tools are found by words, and status says why there is none',
  },
  { id: 'MEMORY-IMPORT', promise: 'imported executions change the ranking, and count once' },
  { id: 'IMPORT-ALL-OR-NOTHING', promise: 'a file with a wrong line changes nothing' },
  { id: 'INDEX-KEPT', promise: 'vectors outlive the daemon and are made once' },
  {
    id: 'EXPLAIN-WHY',
    promise: 'a plan is explained by what it is based on, a run by what it came from and taught',
  },
  {
    id: 'RANKING-MEASURED',
    promise: 'every plan is recorded with its outcome, and PML shows the totals',
  },
  { id: 'RUN-PARALLEL', promise: 'a task starts as soon as its own inputs are there' },
  { id: 'RUN-CHECKED', promise: 'a plan with mistakes is refused before anything runs' },
  {
    id: 'PLAN-TEMPLATES',
    promise: 'a text put together of results is suggested as a text, or left open',
  },
  {
    id: 'RUN-PLACEHOLDERS',
    promise: 'a placeholder that names no task never reaches a tool as text',
  },
  { id: 'RUN-FAILS-ALONE', promise: 'a failed task skips its dependants and spares its siblings' },
  { id: 'RUN-DURABLE', promise: 'a finished call is never made again after a crash' },
  {
    id: 'RUN-LONE-KILLED',
    promise:
      'a lone call that a killed daemon had sent is reported with its outcome or as in doubt',
  },
  {
    id: 'RUN-IN-DOUBT',
    promise: 'a call that may have happened is reported and never repeated by itself',
  },
  {
    id: 'CAP-POLICY',
    promise: 'a capability is as risky, asks and waits for the journal as all it can reach',
  },
  {
    id: 'CALL-IN-DOUBT',
    promise: 'a failed call that had left says that it may have been carried out; no other does',
  },
  {
    id: 'HOSTILE-RECOVERY',
    promise: 'a damaged or hostile run ends with the reason and stops no other run',
  },
  { id: 'RUN-DECISIONS', promise: 'a decision fits the run as it is, is made once, and lasts' },
  {
    id: 'RUN-ADDED',
    promise:
      'a task that joins a run takes new results before old ones, and waits as the run wants',
  },
  {
    id: 'RUN-REJECTED',
    promise: 'a run whose task was rejected says so, by whom and why, and is no failure',
  },
  {
    id: 'RUN-TURNS',
    promise:
      "a layer that an agent wants to stop before is its own turn; risky calls are the user's",
  },
  {
    id: 'RUN-RETRY',
    promise: 'only a call that may be repeated is, and only after a failure that passes',
  },
  {
    id: 'RUN-DISK-FULL',
    promise: 'without space for the journal nothing unrecorded is called, and runs go on with it',
  },
  {
    id: 'JOURNAL-DAMAGE',
    promise: 'a journal that lost something is reported, and its runs are shown and not repeated',
  },
  { id: 'RUN-OUTLIVES', promise: 'a run outlives its client and is collected by another' },
  {
    id: 'RUN-OWNED',
    promise: 'no client learns of the runs of another principal: ids of 128 bits give access',
  },
  {
    id: 'AUTH-SIGN-IN',
    promise: 'a remote server behind OAuth works after one sign-in, in both protocol eras',
  },
  {
    id: 'AUTH-ONE-REFRESH',
    promise: '200 parallel calls across the expiry of a token all succeed with one refresh',
  },
  {
    id: 'AUTH-KILL',
    promise: 'a daemon that is killed after it got a token answer stays signed in',
  },
  {
    id: 'AUTH-PASSING',
    promise: 'an authorization server that fails for a while signs no user out',
  },
  { id: 'AUTH-LEASE', promise: 'two daemons that share a store of tokens refresh once' },
  {
    id: 'AUTH-SHARED',
    promise: 'gateways on one PostgreSQL have one encrypted sign-in and refresh once',
  },
  {
    id: 'AUTH-CONFORM',
    promise: 'the auth scenarios of the conformance suite pass against the client side of PML',
  },
  { id: 'AUTH-REVOKE', promise: 'a sign-out revokes the tokens where that is offered' },
  { id: 'AUTH-RUN-WAITS', promise: 'a run waits for a sign-in and resumes by itself' },
  {
    id: 'AUTH-PAGE',
    promise: 'a client that opens pages is sent to the sign-in, and its call goes on',
  },
  {
    id: 'AUTH-CANARY',
    promise: 'no token of a remote server is in a file but the store of tokens, nor in a message',
  },
  { id: 'AUTH-KEYCHAIN', promise: 'tokens are in the keychain where it works, else in a file' },
  { id: 'AUTH-STEP-UP', promise: 'a call that needs more permissions loses none of those given' },
  { id: 'AUTH-MACHINE', promise: 'a machine signs in with its own secret' },
  { id: 'AUTH-DEVICE', promise: 'a person signs in with a code on another device' },
  {
    id: 'AUTH-SSRF',
    promise: 'addresses that a server names for tokens do not lead into private networks',
  },
  {
    id: 'HTTP-OWN-MEMORY',
    promise: 'no answer to a named client has words or values of another client, or of the user',
  },
  {
    id: 'HTTP-NARROW',
    promise: 'a narrow token hides what it may not use, and refuses it in every way to call',
  },
  {
    id: 'OVERRIDE-SECRETS',
    promise: 'secrets of fixed parameters are masked in results, and stored in no catalog',
  },
  {
    id: 'HTTP-NAMED-TOKENS',
    promise: 'a named token is stored hashed, has its own view and rights, and can be revoked',
  },
  {
    id: 'HTTP-OWN-RUNS',
    promise: 'the run of a named client does not exist for another named client',
  },
  { id: 'HTTP-JWT', promise: 'tokens of the configured issuer are checked before they let in' },
  {
    id: 'HTTP-ISOLATED',
    promise: 'clients over HTTP never share a server that is to be per client',
  },
  {
    id: 'HTTP-TOKEN',
    promise: 'HTTP needs a token, made at the first start, unless the user says otherwise',
  },
  { id: 'HTTP-BOUNDED', promise: 'sessions, requests and bodies over HTTP are bounded' },
  {
    id: 'REMOTE-BOUNDED',
    promise: 'a message of a remote server that is too long is refused while it arrives',
  },
  {
    id: 'DEEP-REFUSED',
    promise: 'arguments nested too deep are refused as wrong, and disturb no other client',
  },
  {
    id: 'DENY-ALL-KINDS',
    promise: 'permissions.deny covers tools, prompts and resources of a server',
  },
  {
    id: 'RESOURCE-LISTED',
    promise: 'an address is sent only to the server that lists it or whose template covers it',
  },
  {
    id: 'RUN-APPROVAL',
    promise: 'a risky call waits for approval, is made once then, and nothing is repeated',
  },
  { id: 'CODE-JOINS', promise: 'a script joins what several servers give, in one call' },
  { id: 'CODE-LONG', promise: 'what a script gives at length can be loaded whole by the next one' },
  { id: 'CODE-READS', promise: 'code and tasks of pml_read reach nothing that changes anything' },
  {
    id: 'CODE-APPROVAL',
    promise: 'a risky call of a script waits for approval, and nothing before it is repeated',
  },
  {
    id: 'CODE-CONTAINED',
    promise: 'a script that takes too much ends with the limit it met, and alone',
  },
  {
    id: 'CODE-DURABLE',
    promise: 'a script outlives a crash: what it called is not called again, it goes on from there',
  },
  {
    id: 'CODE-SAME-AGAIN',
    promise: 'time and chance are the same for a script that is executed again',
  },
  {
    id: 'CODE-PROMISES',
    promise: 'promises in the result of a script are awaited, and never taken for data',
  },
  { id: 'CODE-PATH', promise: 'what a script did to its own data is remembered with its calls' },
  { id: 'RESULT-LONG', promise: 'a long result becomes a preview that can be read to its end' },
  { id: 'RESULT-LASTS', promise: 'a handle is good until it expires, whatever ends before' },
  { id: 'RESULT-PASSED', promise: 'a handle stands for its value in the next call' },

  // What passes through.
  { id: 'PASS-CONTENT', promise: 'pictures, links, metadata and structured content pass' },
  { id: 'PASS-FAILURE', promise: 'a failure of a tool is never reported as success' },
  { id: 'PASS-PROGRESS', promise: 'progress passes in order, before the answer' },
  { id: 'PASS-CANCEL', promise: 'a cancelled call is cancelled on its server' },
  { id: 'PASS-QUESTIONS', promise: 'questions of a server reach the client they are meant for' },
  { id: 'PASS-LISTS', promise: 'resources, templates, prompts and completions pass' },
  {
    id: 'PASS-HEADERS',
    promise: 'a remote server gets marked parameters in headers, too, and refuses no call for them',
  },
  { id: 'ERAS-BOTH', promise: 'clients and servers of both protocol generations work together' },
  { id: 'ERAS-CONFORM', promise: 'the official conformance suite passes' },

  // Extensions.
  {
    id: 'APPS-UNCHANGED',
    promise: 'a client without extensions gets the same bytes from tools/list as before them',
  },
  { id: 'APPS-PINNED', promise: 'a client that declares Apps lists every tool with one' },
  { id: 'APPS-ADDRESSES', promise: 'addresses of user interfaces keep their scheme everywhere' },
  { id: 'APPS-HIDDEN', promise: 'a tool that only an app calls is not found, and can be called' },
  { id: 'APPS-LATE', promise: 'shared servers hear what a client declares that comes late' },
  { id: 'APPS-PUBLISHED', promise: 'published Apps servers keep their user interfaces' },
  { id: 'TASKS-CONFORM', promise: 'the scenarios of the tasks extension pass' },
  { id: 'TASKS-RUN', promise: 'a run is a task for clients that declare tasks' },
  { id: 'TASKS-APPROVAL', promise: 'approvals of a run are questions of its task' },
  { id: 'TASKS-ASK', promise: 'questions of a task of a server reach the client of the run' },
  { id: 'TASKS-CRASH', promise: 'a task of a server survives a crash of PML, and runs once' },
  { id: 'SKILLS-SERVERS', promise: 'skills of servers are listed and read through PML' },

  // Servers that misbehave.
  { id: 'SERVER-BROKEN-TOOL', promise: 'a broken definition quarantines that tool alone' },
  { id: 'SERVER-HANGS', promise: 'a hanging server delays no other server and no client' },
  { id: 'SERVER-CRASHES', promise: 'only calls that change nothing are repeated after a crash' },
  {
    id: 'HOSTILE-RESULTS',
    promise: 'whatever a server answers, the call gets an answer and everything else goes on',
  },
  { id: 'SERVER-IDLE', promise: 'idle servers stop and come back with the next call' },
  { id: 'SERVER-CACHED', promise: 'lists are answered from memory while servers are not up' },

  {
    id: 'NEWCOMER-CLONE',
    promise: 'npm start in a fresh clone serves a client that finds and calls a tool',
  },
  {
    id: 'NEWCOMER-PACKAGE',
    promise:
      'from the packed file alone init sets five clients up, doctor passes, eject gives every byte back',
  },
  {
    id: 'DEMO-SAME',
    promise: 'pml demo plays the same session every time and leaves nothing behind',
  },
  {
    id: 'PACKAGE-SIZE',
    promise: 'the installed tree stays below 130 MB and holds one WebAssembly runtime of the model',
  },

  // Daemon and processes.
  { id: 'DAEMON-ONE', promise: 'clients that start together get one daemon' },
  {
    id: 'DAEMON-DIES',
    promise: 'when the daemon dies sessions go on and no call is lost silently',
  },
  { id: 'DAEMON-CLEAN', promise: 'no process is left behind, not even by a killed daemon' },
  { id: 'MEMORY-BOUND', promise: 'what a daemon holds is bounded, however many calls it serves' },
  {
    id: 'FILES-FEW',
    promise:
      'where few files may be open, servers are refused with the reason, and the store works',
  },
  { id: 'DAEMON-LAST-WORD', promise: 'the log says why a daemon died, or that it did not say' },
  { id: 'OWNER-ONE', promise: 'a data directory has one owner' },
  { id: 'CONFIG-LIVE', promise: 'changes of the configuration take effect without a restart' },
  { id: 'CONFIG-EXPLAINED', promise: 'every mistake in a file is named with its place' },
  { id: 'CONFIG-PARTIAL', promise: 'a missing variable breaks only the server that needs it' },

  // Safety.
  { id: 'SAFE-TRUST', promise: 'a found project file starts nothing before it is approved' },
  { id: 'SAFE-TRUST-ALL', promise: 'an approval covers everything but comments and the log level' },
  {
    id: 'SAFE-UNTRUSTED-FOLDER',
    promise: 'nothing is written or run because of a folder that the user has not approved',
  },
  {
    id: 'SAFE-PLANTED-DATA',
    promise: 'an approved folder brings no foreign runs, code or approvals',
  },
  {
    id: 'SAFE-TRUSTED-WORKS',
    promise: 'an approved project works, with a data directory of its own',
  },
  { id: 'SAFE-DATA-DIR', promise: 'PML follows no link in its data directory' },
  {
    id: 'DATA-DIR-ONE-CONFIG',
    promise: 'no command is answered by the daemon of another configuration',
  },
  {
    id: 'SERVE-OWN-CONFIG',
    promise: 'in a folder that is not approved a client gets the own servers of its user',
  },
  {
    id: 'SAFE-PINNED',
    promise: 'a changed definition is recorded and, by policy, blocked before the next call',
  },
  {
    id: 'SAFE-VISIBLE',
    promise: 'PML removes invisible characters from the texts of servers, and reports them',
  },
  { id: 'SAFE-SECRETS', promise: 'secrets appear nowhere but in the server they are for' },
  {
    id: 'SAFE-CANARIES',
    promise: 'no file, answer or error of PML holds a secret, but the journal and kept results',
  },
  { id: 'SAFE-DENY', promise: 'a denied tool is neither listed nor called' },
  { id: 'SAFE-ADMIT', promise: 'a tool meets the same stop however it is called' },
  { id: 'SAFE-TIGHTEN', promise: 'a request asks for more stops than configured, never for fewer' },
  { id: 'SAFE-USER-FIRST', promise: 'while the user is asked, no agent decides' },
  { id: 'SAFE-PERSON', promise: 'a tool can be approved by a person alone' },
  { id: 'SAFE-SHOWN-CALLS', promise: 'a dialog decides about the calls that it shows, legibly' },
  {
    id: 'SAFE-USER-LOOSENS',
    promise: 'what a user lets pass in a run of their own lets nothing of an agent pass',
  },
  {
    id: 'SAFE-APPROVED-ARGS',
    promise: 'an approval counts for the arguments that were shown, and for no others',
  },
  {
    id: 'SAFE-READ-NAMES',
    promise: 'pml_read reaches no tool whose name says a change, whatever its server promises',
  },

  // Work done before it is asked: the ledger.
  {
    id: 'SPEC-THRESHOLDS',
    promise:
      'how sure PML must be moves with the outcomes of predictions, within bounds, and ends up off where they do not pay',
  },
  {
    id: 'SPEC-EPISODES',
    promise: 'past episodes correct a prediction only when a paired test says that they help',
  },
  { id: 'SPEC-LEDGER-KEPT', promise: 'episodes and thresholds survive a restart, without secrets' },
  {
    id: 'SPEC-FORGET',
    promise: 'pml forget removes episodes and thresholds from memory and from the store for good',
  },

  // Work done before it is asked: servers.
  {
    id: 'WARM-FIRST-CALL',
    promise: 'after a search the servers of what was found are running before the first call',
  },
  {
    id: 'WARM-SAFE',
    promise: 'PML calls no tool to warm a server, and warms none that is denied or failed',
  },
  {
    id: 'WARM-BUDGET',
    promise: 'PML warms no more servers at a time than configured, and calls go first',
  },
  { id: 'WARM-OFF', promise: 'with speculation off, no server starts before a call needs it' },
  {
    id: 'WARM-LAST-TIME',
    promise: 'a new session warms the servers that its client used last time',
  },
  {
    id: 'RUN-INTENT',
    promise: 'mode run executes the plan of an intent only if it is sure, complete and reading',
  },

  // Work done before it is asked: offers and calls.
  {
    id: 'AHEAD-GUARD',
    promise:
      'PML calls ahead only active tools that read, reach a closed world, need no approval and get no secret',
  },
  {
    id: 'AHEAD-BUDGET',
    promise: 'calls made ahead stop until the next minute when their budget is spent',
  },
  {
    id: 'AHEAD-SERVED',
    promise: 'a call that PML foresaw is answered with the result it fetched, which says its age',
  },
  {
    id: 'AHEAD-FRESH',
    promise: 'no session gets a result from before a write, or one fetched for another session',
  },
  {
    id: 'AHEAD-DROPPED',
    promise:
      'a result fetched ahead is dropped when its server was called, changed or restarted, or its definition or rules changed',
  },
  {
    id: 'AHEAD-NOTIFIED',
    promise: 'a server that notifies a change makes PML drop what it fetched ahead from it',
  },
  {
    id: 'AHEAD-JOINED',
    promise: 'a call that comes while the same one is under way ahead of it is not made twice',
  },
  {
    id: 'AHEAD-ASKS',
    promise: 'a tool that asks when PML calls it ahead is not called ahead again',
  },
  {
    id: 'AHEAD-ALONE',
    promise: 'a call made ahead has no client behind it: its server can ask nothing',
  },
  {
    id: 'AHEAD-SAFE',
    promise:
      'in 2,000 random sessions with lying tools, writes in between and kills PML writes nothing by itself and serves nothing stale',
  },
  {
    id: 'AHEAD-PLAN',
    promise:
      'reading steps behind a pending approval are called ahead, and never a step that must be approved',
  },
  {
    id: 'ATTENTION-WITHOUT-GROUP',
    promise: 'what heads know without a group of runs is what they know if the runs had never been',
  },
  {
    id: 'ATTENTION-GATE',
    promise:
      'heads are used only if they help on held-out requests, and never see the own answer of a request',
  },
  {
    id: 'ATTENTION-COLD',
    promise: 'with nothing learned, plans are the same to the byte as without heads',
  },
  {
    id: 'ATTENTION-EXPLAINED',
    promise: 'a plan says which head voted for which step, and which runs it knows that from',
  },
  {
    id: 'SPECULATION-MODES',
    promise: 'PML calls nothing ahead unless speculation is on',
  },
  {
    id: 'SPECULATION-RECORD',
    promise: 'what a session called is kept in memory, bounded, and forgotten with it',
  },
  {
    id: 'SPECULATION-EPISODES',
    promise: 'every prediction that PML acted on or held back is settled by what the client did',
  },
  {
    id: 'OFFERS-NEXT',
    promise: 'the answer to a run offers what most likely comes next, if PML is sure enough',
  },
  {
    id: 'OFFERS-SMALL',
    promise: 'an answer offers at most two calls in at most 60 tokens',
  },

  // Store.
  { id: 'STORE-DURABLE', promise: 'what was acknowledged is on disk' },
  { id: 'STORE-EXACT', promise: 'definitions come back exactly as they were listed' },
  {
    id: 'STORE-SHARED-LIVE',
    promise: 'what one gateway learns reaches others on the same database while they run',
  },
  { id: 'STORE-GUARDED', promise: 'nothing is ever initialised over existing data' },
  {
    id: 'STORE-REPAIR',
    promise: 'a damaged store is restored from a snapshot, keeping the damaged',
  },
  {
    id: 'KEPT-CAPABILITIES',
    promise: 'a store that is lost or repaired costs no capability and brings no deleted one back',
  },

  // Work before it is asked.
  {
    id: 'PREDICT-CALLS',
    promise: 'the next call is foreseen with its arguments from loops, results and the request',
  },
  {
    id: 'PREDICT-KEPT',
    promise: 'lone calls are remembered with their arguments, without secrets and long texts',
  },
  // What traces tell.
  {
    id: 'TRACE-ERRORS',
    promise: 'a failed call is remembered with its kind and what its error said, without secrets',
  },
  {
    id: 'FEATURES-COLD',
    promise:
      'trace features change nothing before there is a past, and never hear of their own run',
  },
  { id: 'FEATURES-ACT', promise: 'trace features choose better tools where tools differ' },
  {
    id: 'FEATURES-GATE',
    promise: 'trace features stay off where labels are shuffled or tools do not differ',
  },
  {
    id: 'PATH-SUCCESS',
    promise: 'a plan says how likely it succeeds where one of its steps is known to fail',
  },
  {
    id: 'METRICS-LEARNING',
    promise: 'metrics learning says after how many runs they became better by a tenth',
  },

  // Dashboard.
  {
    id: 'UI-SIGNED-IN',
    promise: 'a request without the cookie, from another site or to another name gets no data',
  },
  { id: 'UI-ONE-TIME', promise: 'an address of pml ui signs one browser in, once' },
  {
    id: 'UI-LOOPBACK',
    promise: 'the dashboard listens on loopback alone, whatever http.host says',
  },
  {
    id: 'UI-COMES-BACK',
    promise: 'a browser finds the next daemon at the same address, still signed in',
  },
  {
    id: 'UI-RESUMES',
    promise: 'a browser that lost its connection gets what it missed, or a fresh snapshot',
  },
  { id: 'UI-SLOW-BROWSER', promise: 'a browser that reads slowly holds up nothing' },
  { id: 'UI-MASKED', promise: 'the dashboard shows no secret of the configuration' },
  { id: 'UI-ACTIVITY', promise: 'every call through PML is shown with its outcome' },
  { id: 'UI-PERSON', promise: 'a decision in the dashboard is a decision of a person' },
  { id: 'UI-SEES', promise: 'a call of a client appears in the open page without a reload' },
  {
    id: 'UI-INVOCATIONS',
    promise: 'a capability shows when each call of its last proof began and how long it took',
  },
  { id: 'UI-DECIDE', promise: 'a decision in one browser moves the run on and is seen in all' },
  {
    id: 'UI-CALLS',
    promise: 'invocation mode shows calls in order, parallel ones side by side, repeats marked',
  },
  { id: 'UI-REPLAY', promise: 'a finished run can be moved through by its events' },
  { id: 'UI-GRAPH', promise: 'a graph of 2,000 tools stays usable, also while it is arranged' },
  { id: 'UI-XSS', promise: 'hostile texts of servers and agents do nothing in any view' },
  { id: 'UI-AXE', promise: 'no view has a serious barrier that axe finds, in either theme' },
  { id: 'UI-NARROW', promise: 'every view fits a screen of 360 pixels' },
  { id: 'UI-SMALL', promise: 'the page is small, and its first view smaller' },

  // Learned vectors of tools.
  { id: 'VEC-IDENTITY', promise: 'with no vectors learned, answers are byte-identical' },
  { id: 'VEC-GATE', promise: 'vectors of shuffled labels are not used' },
  {
    id: 'GATE-CONTROL',
    promise: 'a gain that needs no knowledge of requests opens no gate of plans, heads or search',
  },
  { id: 'VEC-HELD-OUT', promise: 'no request is judged by vectors that its own group taught' },
  {
    id: 'VEC-PROCESS',
    promise: 'vectors are learned in one process of lowest priority that ends at its limits',
  },
  {
    id: 'VEC-KEPT',
    promise:
      'vectors are stored with their model, and go when they do worse, not when learning fails',
  },

  // Set-up.
  { id: 'INIT-IMPORT', promise: 'servers of all known clients are imported' },
  { id: 'INIT-UNDO', promise: 'eject puts the files of clients back as they were' },
  { id: 'ADD-SERVER', promise: 'add writes a server that works at once, remove restores the file' },
  {
    id: 'OVERRIDE-TOOL',
    promise: 'an override of a tool counts in every mode, and its secrets are kept nowhere',
  },
  {
    id: 'PROFILE-NARROWS',
    promise: 'a client of a profile neither sees nor calls what the profile does not have',
  },
  { id: 'DOCTOR-FIX', promise: 'doctor says of everything wrong how to fix it' },
];
