import type { PmlErrorCode } from './errors.js';

/** What the documentation says about one error code. */
export interface ErrorAdvice {
  readonly meaning: string;
  /** What the reader does about it. */
  readonly remedy: string;
}

/** Every error code, explained. `docs/errors.md` is generated from this table. */
export const ERROR_GUIDE: Readonly<Record<PmlErrorCode, ErrorAdvice>> = {
  ARGUMENTS_INVALID: {
    meaning:
      'The arguments do not fit the schema of the tool, or a required argument is missing and PML cannot fill it.',
    remedy: 'Correct the task and the parameter that the message names.',
  },
  BAD_REQUEST: {
    meaning: 'A request or a command has wrong arguments.',
    remedy: 'Read the message: it names the argument.',
  },
  CALL_CANCELLED: {
    meaning: 'The client cancelled the call.',
    remedy: 'Nothing, if you cancelled it on purpose.',
  },
  CODE_FAILED: {
    meaning: 'A script threw an error that it did not catch.',
    remedy:
      'Read the line and column in the message. `pml show <run>` lists the calls that the script made before.',
  },
  CODE_INVALID: {
    meaning:
      'The code is not valid TypeScript, or it uses something that scripts do not have. Nothing ran.',
    remedy: 'Correct the line that the message shows.',
  },
  CODE_STOPPED: {
    meaning: 'A script reached a limit, or waits for something that can never happen.',
    remedy: 'Do less in one script, or raise the limit that the message names.',
  },
  CONFIG_INVALID: {
    meaning: 'The configuration file has mistakes. The message gives line and column of each.',
    remedy: 'Correct them.',
  },
  CONFIG_NOT_FOUND: {
    meaning: 'There is no configuration file.',
    remedy: 'Run `pml init`.',
  },
  CONFIG_UNTRUSTED: {
    meaning:
      'You have not approved the `pml.json` of this folder as it is now, and you have no configuration of your own.',
    remedy: 'Read the file, then run `pml trust --yes`.',
  },
  DAEMON_SILENT: {
    meaning:
      'The daemon is suspended or hangs: it accepts connections and does not answer. The message gives its pid.',
    remedy: '`kill -CONT <pid>` lets it continue, `kill -9 <pid>` ends it.',
  },
  DAEMON_UNREACHABLE: {
    meaning: 'The daemon does not start, or it ended.',
    remedy: 'Run `pml logs` and `pml doctor`.',
  },
  DATA_DIR_IN_USE: {
    meaning: 'Another process or another configuration owns the data directory.',
    remedy: 'Run `pml stop`, or give this configuration a `dataDir` of its own.',
  },
  DATA_DIR_REFUSED: {
    meaning:
      'PML cannot write the data directory, or finds a symbolic link or a file of another user in it, or did not make it on this machine.',
    remedy: 'Follow the message: it names the path. `pml trust --adopt-data` accepts a directory.',
  },
  EMBEDDING_FAILED: {
    meaning:
      'The embedding model is missing, does not load, or stopped. Search by words still works.',
    remedy: 'Correct what the message names, then run `pml index`. `pml doctor` tests the model.',
  },
  JOURNAL_FAILED: {
    meaning:
      'PML cannot read or write the journal of runs and starts nothing more. Or a part of this run is lost, and its status is `damaged`.',
    remedy:
      'Free disk space and check the permissions of `journal/`; the run then resumes by itself. If it is damaged: look at `pml show <run>`, check what its calls did, then `pml continue <run> abort`.',
  },
  OUTPUT_INVALID: {
    meaning: 'A tool returned something else than the schema it declares. The call was made.',
    remedy: 'Read the answer: it contains what the tool returned.',
  },
  PINS_FAILED: {
    meaning:
      '`definitionChanges` is `"block"` or `newTools` is `"ask"`, and PML cannot read or write `pins.json`. PML called nothing.',
    remedy: 'Follow the message: it names the file.',
  },
  PLAN_HAS_CYCLE: {
    meaning: 'Tasks of the workflow wait for each other. Nothing ran.',
    remedy: 'Remove one of the references or `needs` that the message names.',
  },
  PLAN_INVALID: {
    meaning: 'PML cannot run the workflow as it is written. Nothing ran.',
    remedy: 'Correct the task that the message names.',
  },
  REFERENCE_INVALID: {
    meaning: 'A reference names a task or a field that does not exist.',
    remedy: 'Correct the reference that the message names.',
  },
  REPLAY_DIVERGED: {
    meaning:
      'PML executed a script again after a crash or a long pause, and the script did something else than before. No call was made twice.',
    remedy: 'Look at the run with `pml show <run>`, then start what is left as a new run.',
  },
  RESULT_NOT_FOUND: {
    meaning:
      'A stored result expired, was evicted, could not be saved, or never existed. The message says which.',
    remedy:
      'Check the handle, or make the call again. See `limits.resultTtlMs` and `limits.storedResultBytes`.',
  },
  PROFILE_UNKNOWN: {
    meaning: 'The configuration has no profile of this name.',
    remedy: 'Use one of the names in the message, or add it to `profiles`.',
  },
  RUN_DECIDED: {
    meaning: 'The user or another agent has already decided this.',
    remedy: 'Run `pml show <run>`.',
  },
  RUN_FAILED: {
    meaning:
      'PML itself failed while it worked on the run. The run ended; pending calls may or may not have been carried out.',
    remedy: 'Run `pml show <run>` and `pml logs`.',
  },
  RUN_FINISHED: {
    meaning: 'The run has ended and cannot be changed.',
    remedy: 'Run `pml show <run>`, or start a new run.',
  },
  RUN_UNKNOWN: {
    meaning:
      'There is no such run: the id is wrong, the run was deleted, or another machine works on it.',
    remedy: 'Run `pml runs`.',
  },
  SANDBOX_FAILED: {
    meaning: 'PML could not start a process for scripts.',
    remedy: 'Run `pml logs` and `pml doctor`.',
  },
  SERVER_BROKEN: {
    meaning: 'The server failed several times. PML tries again after a pause.',
    remedy: 'Run `pml logs <server>`.',
  },
  SERVER_CRASHED: {
    meaning:
      'The server died or closed the connection during a call. PML restarts it with the next call.',
    remedy: 'Run `pml logs <server>`.',
  },
  SERVER_DISABLED: {
    meaning: 'The server was stopped, or its entry changed, during the call.',
    remedy: 'Check whether the call was carried out. The next call starts the server.',
  },
  SERVER_ERROR: {
    meaning: 'The server answered with an error of its own.',
    remedy: 'Read the message.',
  },
  SERVER_NOT_STARTED: {
    meaning: 'The program is missing, or the server did not answer within `limits.startTimeoutMs`.',
    remedy: 'Run `pml logs <server>`.',
  },
  SERVER_PROTOCOL_ERROR: {
    meaning:
      'The answer of the server is not MCP: its content is not a list of blocks, or values nest more than 1,000 levels deep.',
    remedy: 'Update the server.',
  },
  SERVER_TOO_LARGE: {
    meaning: 'A message of the server is longer than `limits.messageBytes`.',
    remedy: 'Ask for less, or raise the limit.',
  },
  SERVER_UNKNOWN: {
    meaning: 'No server with this name is configured.',
    remedy: 'Use one of the names in the message.',
  },
  SIGN_IN_FAILED: {
    meaning:
      'The authorization server of a remote server could not be reached, refused the sign-in, or broke a rule of OAuth. PML keeps the tokens that it has.',
    remedy: 'Read the message. If the authorization server is down, try again later.',
  },
  SIGN_IN_NEEDED: {
    meaning:
      'The remote server wants a person to sign in, or wants more permissions than the last sign-in gave. The call was not carried out.',
    remedy: 'Run `pml auth login <server>`. A run that waits for it resumes by itself.',
  },
  STORE_CORRUPT: {
    meaning: 'The database is damaged. PML works from memory until it is repaired.',
    remedy: 'Run `pml stop`, then `pml doctor --repair`.',
  },
  STORE_FAILED: {
    meaning: 'PML cannot read or write the database.',
    remedy: 'Check disk space and permissions.',
  },
  TOOL_BLOCKED: {
    meaning:
      'The definition of the tool is broken, or it changed or is new and you have not approved it.',
    remedy: 'Run `pml tools changes`, then `pml tools approve <server:tool>`.',
  },
  TOOL_DENIED: {
    meaning: '`permissions` or the user refused the call, or the client cannot ask the user.',
    remedy: 'Change `permissions` if the call should be possible.',
  },
  TOOL_FAILED: {
    meaning: 'The tool reported a failure.',
    remedy: 'Read its message.',
  },
  TOOL_TIMED_OUT: {
    meaning: 'The server did not answer in time.',
    remedy: 'Raise `timeoutMs` of the server, or `timeout_ms` of the task.',
  },
  TOOL_UNKNOWN: {
    meaning: 'There is no such tool.',
    remedy: 'Use one of the similar names in the message.',
  },
  USER_DECIDES: {
    meaning:
      'An agent tried to decide something that the user is being asked, or that only a person may approve.',
    remedy: 'Answer the dialog of your client, or run `pml continue <run> approve`.',
  },
};
