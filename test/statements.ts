/** How the statements of one section of the documentation are tried. */
export interface TriedSection {
  /** Requirements (`RUN-DURABLE`) and test files (`test/process/kills.test.ts`) that try them. */
  readonly by: readonly string[];
  /** What no test tries, and why. */
  readonly not?: string;
}

type Sections = Readonly<Record<string, TriedSection>>;

const NO_STATEMENT: TriedSection = { by: ['DOCS-LINKS'] };
const BENCH = 'a bench measures it; times depend on the machine';

/**
 * Every section of the README and of the guides, and what tries its statements.
 * `statements.test.ts` fails for a section without an entry and for an entry without a section.
 */
export const STATEMENTS: Readonly<Record<string, Sections>> = {
  'README.md': {
    'Two commands': {
      by: ['test/process/start-text.test.ts'],
      not: '`npm test` itself: it runs the tests',
    },
    Why: {
      by: ['README-FIGURES', 'MENU-SMALL', 'RUN-DURABLE', 'SEARCH-OFFLINE'],
      not: `0.7 ms per call: ${BENCH}`,
    },
    'What it looks like': {
      by: ['README-FIGURES', 'DOCS-SAMPLES', 'test/process/runs-cli.test.ts'],
      not: 'the picture: `scripts/screenshots.mjs` makes it',
    },
    Install: {
      by: ['INIT-IMPORT', 'INIT-UNDO', 'DOCTOR-FIX'],
      not: '`npm link`: it changes the machine',
    },
    Clients: { by: ['test/process/client-entry.test.ts', 'INIT-ABSOLUTE', 'test/docs.test.ts'] },
    'Five commands to know': {
      by: ['DOCS-SAMPLES', 'test/process/runs-cli.test.ts', 'DOCTOR-FIX'],
    },
    Safety: {
      by: [
        'RUN-APPROVAL',
        'SAFE-TIGHTEN',
        'SAFE-USER-FIRST',
        'SAFE-PERSON',
        'RUN-IN-DOUBT',
        'SAFE-TRUST',
      ],
      not: 'that servers run as the user: it says what PML does not do',
    },
    'Where to go next': NO_STATEMENT,
  },
  'docs/getting-started.md': {
    'Try the sample servers': { by: ['test/process/start-text.test.ts'] },
    'Install the command': {
      by: ['test/docs-samples.test.ts'],
      not: '`npm link`: it changes the machine',
    },
    'Import the servers of your clients': {
      by: ['INIT-IMPORT', 'INIT-UNDO', 'DOCTOR-CLIENT', 'src/clients/client-files.test.ts'],
    },
    'Add a server': { by: ['src/cli/add/add.test.ts', 'test/process/add.test.ts'] },
    'Write the configuration by hand': { by: ['DOCS-SAMPLES', 'INIT-ABSOLUTE', 'DOCTOR-CLIENT'] },
    'Connect over HTTP': { by: ['HTTP-TOKEN', 'HTTP-ISOLATED', 'test/process/start-text.test.ts'] },
    'Next steps': NO_STATEMENT,
  },
  'docs/agents.md': {
    'Exposure modes': {
      by: ['MENU-SMALL', 'MENU-STABLE', 'MENU-STRICT', 'NAMES-BARE', 'NAMES-SHORT', 'PASS-LISTS'],
    },
    pml_discover: {
      by: [
        'FIND-INTENT',
        'FIND-BUDGET',
        'SEARCH-NO-WAIT',
        'src/gateway/handlers/serve-discover.test.ts',
      ],
    },
    'pml_execute_workflow and pml_continue': { by: ['RUN-PARALLEL', 'RUN-DECISIONS'] },
    pml_execute_code: { by: ['CODE-JOINS'] },
    pml_read: { by: ['CODE-READS', 'SAFE-READ-NAMES'] },
    'Long results': { by: ['RESULT-LONG', 'RESULT-LASTS', 'RESULT-PASSED', 'PASS-CONTENT'] },
    'Next steps that PML offers': { by: ['OFFERS-NEXT', 'OFFERS-SMALL'] },
  },
  'docs/workflows.md': {
    Arguments: { by: ['RUN-PARALLEL', 'SAFE-TIGHTEN', 'test/process/run-input.test.ts'] },
    'Order and references': { by: ['RUN-PARALLEL', 'RUN-PLACEHOLDERS', 'RUN-FAILS-ALONE'] },
    'Missing arguments': {
      by: ['test/process/guess-cases.test.ts', 'test/process/guess-provenance.test.ts'],
    },
    Checks: { by: ['RUN-CHECKED'] },
    Approvals: {
      by: [
        'RUN-APPROVAL',
        'SAFE-ADMIT',
        'SAFE-USER-FIRST',
        'SAFE-PERSON',
        'SAFE-APPROVED-ARGS',
        'SAFE-SHOWN-CALLS',
      ],
    },
    pml_continue: { by: ['RUN-DECISIONS', 'RUN-ADDED', 'RUN-REJECTED', 'SAFE-USER-LOOSENS'] },
    Statuses: { by: ['RUN-REJECTED', 'JOURNAL-DAMAGE', 'test/process/runs-cli.test.ts'] },
    'Time limits and retries': { by: ['RUN-RETRY', 'RUN-OUTLIVES', 'SERVER-HANGS'] },
    'After a crash': { by: ['RUN-DURABLE', 'RUN-IN-DOUBT', 'JOURNAL-DAMAGE'] },
    'Plans from an intent': {
      by: [
        'RUN-INTENT',
        'test/process/capability-plans.test.ts',
        'src/workflows/suggest/suggest-workflow.test.ts',
      ],
      not: '"about five" for a paraphrase: `npm run bench -- plan` measures how plans improve',
    },
  },
  'docs/apps-and-tasks.md': {
    Apps: {
      by: [
        'APPS-UNCHANGED',
        'APPS-PINNED',
        'APPS-ADDRESSES',
        'APPS-HIDDEN',
        'APPS-LATE',
        'APPS-PUBLISHED',
      ],
    },
    'Tasks of servers': {
      by: ['TASKS-CRASH', 'TASKS-ASK', 'TASKS-CONFORM', 'src/tools/tasks/follow-task.test.ts'],
    },
    'Runs as tasks': { by: ['TASKS-RUN', 'TASKS-APPROVAL', 'test/process/tasks.test.ts'] },
    'Skills of servers': {
      by: ['SKILLS-SERVERS', 'src/gateway/exposure/skill-places.test.ts'],
      not: 'five seconds: a constant',
    },
  },
  'docs/code.md': {
    Arguments: { by: ['CODE-JOINS', 'test/process/code.test.ts'] },
    'What a script can use': {
      by: ['DOCS-SAMPLES', 'CODE-PROMISES', 'CODE-CONTAINED', 'test/process/code.test.ts'],
    },
    Checks: { by: ['test/process/code.test.ts', 'src/workflows/serve-code.test.ts'] },
    Approvals: { by: ['CODE-APPROVAL'] },
    'After a crash': { by: ['CODE-DURABLE', 'CODE-SAME-AGAIN'] },
    Limits: { by: ['CODE-CONTAINED', 'test/process/code-limits.test.ts'] },
  },
  'docs/capabilities.md': {
    'Life of a capability': {
      by: [
        'test/process/capabilities.test.ts',
        'CAP-POLICY',
        'test/process/capability-guesses.test.ts',
      ],
    },
    'Capabilities as tools': { by: ['test/process/capability-tools.test.ts'] },
    'Capabilities as Skills': { by: ['test/process/capability-tools.test.ts'] },
    Verifying: {
      by: ['src/workflows/run/verify-capability.test.ts', 'src/cli/capabilities/verify.test.ts'],
    },
    Managing: { by: ['test/process/capabilities.test.ts', 'DOCS-SAMPLES'] },
  },
  'docs/search-and-learning.md': {
    'How a search works': {
      by: [
        'SEARCH-WORDS',
        'SEARCH-MEANING',
        'SEARCH-OFFLINE',
        'EXPLAIN-WHY',
        'test/session-ranking.test.ts',
      ],
    },
    'What PML learns': { by: ['RANKING-MEASURED', 'test/process/learning.test.ts'] },
    'How PML measures itself': {
      by: ['RANKING-MEASURED', 'src/cli/learned/metrics-describe.test.ts'],
    },
    'The graph of tools': { by: ['src/graph/knowledge-graph.test.ts', 'STORE-EXACT'] },
    'Importing experience': { by: ['MEMORY-IMPORT', 'IMPORT-ALL-OR-NOTHING'] },
    'What PML stores': { by: ['SAFE-CANARIES', 'MEMORY-BOUND', 'SPEC-FORGET'] },
    'Other models': {
      by: ['INDEX-KEPT', 'src/embedding/create-embedder.test.ts', 'DOCS-SAMPLES'],
      not: 'the download of BGE-M3: tests use no network',
    },
  },
  'docs/speculation.md': {
    'What it is worth': { by: ['WARM-FIRST-CALL'], not: `the figures: ${BENCH}` },
    'What PML may call ahead': {
      by: ['AHEAD-GUARD', 'AHEAD-SAFE', 'AHEAD-DROPPED', 'AHEAD-SERVED', 'AHEAD-PLAN'],
    },
    'How sure is sure enough': { by: ['SPEC-THRESHOLDS', 'SPEC-EPISODES', 'SPEC-FORGET'] },
    'Running a plan at once': { by: ['RUN-INTENT'] },
  },
  'docs/dashboard.md': {
    Views: {
      by: [
        'UI-SEES',
        'UI-DECIDE',
        'UI-PERSON',
        'UI-ACTIVITY',
        'UI-REPLAY',
        'UI-GRAPH',
        'UI-INVOCATIONS',
        'UI-AXE',
        'UI-NARROW',
      ],
    },
    Limits: {
      by: ['UI-ACTIVITY'],
      not: 'the sizes of graphs and plans: `web` tests try the rules, not the drawing',
    },
  },
  'docs/commands.md': {
    'Common options and arguments': { by: ['DOCS-SAMPLES', 'test/process/runs-cli.test.ts'] },
    Notes: { by: ['DOCS-SAMPLES', 'TOOLS-WAIT', 'DOCTOR-FIX', 'SAFE-TRUST-ALL'] },
    'Exit codes': { by: ['test/process/runs-cli.test.ts', 'src/cli/capabilities/verify.test.ts'] },
    'All commands': { by: ['DOCS-GENERATED'] },
  },
  'docs/configuration.md': {
    'Which file PML reads': {
      by: ['src/config/find.test.ts', 'SAFE-UNTRUSTED-FOLDER', 'SERVE-OWN-CONFIG'],
    },
    'When changes take effect': { by: ['CONFIG-LIVE', 'src/config/diff.test.ts'] },
    'Environment variables': { by: ['CONFIG-PARTIAL', 'src/config/load.test.ts'] },
    Example: { by: ['DOCS-SAMPLES'] },
    'Change single tools': {
      by: [
        'DOCS-SAMPLES',
        'src/config/tool-overrides.test.ts',
        'src/tools/user-rules/fixed-arguments.test.ts',
        'src/catalog/override-tool.test.ts',
        'test/process/add.test.ts',
      ],
    },
    Profiles: {
      by: [
        'DOCS-SAMPLES',
        'src/config/profiles.test.ts',
        'src/tools/user-rules/profile.test.ts',
        'test/process/add.test.ts',
      ],
    },
    'All keys': { by: ['DOCS-GENERATED', 'CONFIG-EXPLAINED'] },
  },
  'docs/errors.md': { 'Calls in doubt': { by: ['CALL-IN-DOUBT', 'DOCS-GENERATED'] } },
  'docs/operations.md': {
    Processes: {
      by: [
        'DAEMON-ONE',
        'DAEMON-CLEAN',
        'SERVER-IDLE',
        'SERVER-CRASHES',
        'STATUS-REJECTED',
        'STATUS-STORE',
      ],
    },
    'After a crash of the daemon': { by: ['DAEMON-DIES', 'HTTP-COMES-BACK'] },
    'The data directory': {
      by: ['SAFE-DATA-DIR', 'SAFE-PLANTED-DATA', 'KEPT-CAPABILITIES', 'PREDICT-KEPT'],
    },
    'A damaged database': { by: ['STORE-REPAIR', 'KEPT-CAPABILITIES'] },
    PostgreSQL: { by: ['STORE-SHARED-LIVE', 'test/process/two-gateways.test.ts'] },
    'Known limits': {
      by: ['SEARCH-NO-WAIT', 'HTTP-COMES-BACK'],
      not: 'what PML cannot do, and Windows',
    },
  },
  'docs/sign-in.md': {
    'Sign in': {
      by: ['AUTH-SIGN-IN', 'AUTH-DEVICE', 'AUTH-REVOKE', 'test/process/sign-in.test.ts'],
    },
    'What your agent sees': { by: ['AUTH-PAGE', 'AUTH-RUN-WAITS', 'AUTH-STEP-UP'] },
    'How PML stays signed in': {
      by: [
        'AUTH-ONE-REFRESH',
        'AUTH-KILL',
        'AUTH-PASSING',
        'AUTH-KEYCHAIN',
        'AUTH-CANARY',
        'AUTH-SHARED',
      ],
    },
    Settings: { by: ['AUTH-MACHINE', 'AUTH-SSRF', 'src/config/expand.test.ts'] },
    'Tokens for clients of `pml serve --http`': {
      by: ['HTTP-NAMED-TOKENS', 'HTTP-OWN-RUNS', 'HTTP-OWN-MEMORY', 'HTTP-JWT'],
    },
  },
  'docs/security.md': {
    'The rules in short': {
      by: [
        'SAFE-TRUST',
        'SAFE-TIGHTEN',
        'SAFE-PINNED',
        'NAMES-OWN',
        'HTTP-TOKEN',
        'UI-LOOPBACK',
        'UI-ONE-TIME',
      ],
    },
    'Who is trusted': { by: ['SAFE-UNTRUSTED-FOLDER', 'HTTP-ISOLATED'] },
    'What PML protects against': {
      by: [
        'SAFE-CANARIES',
        'SAFE-VISIBLE',
        'HOSTILE-RESULTS',
        'HTTP-BOUNDED',
        'RESOURCE-LISTED',
        'UI-SIGNED-IN',
        'AUTH-SSRF',
        'AUTH-CANARY',
        'HTTP-OWN-RUNS',
      ],
    },
    'Where values are kept as they are': { by: ['SAFE-CANARIES'] },
    'What PML does not protect against': { by: [], not: 'it lists what PML does not do' },
    Reporting: { by: ['SAFE-SECRETS'] },
  },
  'docs/benchmarks/README.md': {
    'One task on the sample servers': { by: ['README-FIGURES'] },
    'What PML adds to a call': { by: [], not: BENCH },
    Scale: { by: [], not: BENCH },
    Search: { by: [], not: BENCH },
    'Search with a past': { by: [], not: 'the recorded requests are no part of the repository' },
    Guesses: {
      by: ['test/process/guess-sentences.test.ts'],
      not: 'the public sets are no part of the repository',
    },
    'Starting servers early': { by: ['WARM-FIRST-CALL'], not: BENCH },
    'Predicting the next call': { by: [], not: 'the recorded runs are no part of the repository' },
    'Start of a command': { by: ['CLI-QUICK'], not: BENCH },
    'Size of the package': { by: ['PACKAGE-SIZE'], not: 'the test knows the total only' },
    'Your own set-up': { by: ['DOCS-SAMPLES'] },
  },
};
