/**
 * Reads the parameters of each method. They come over the socket from a command of any build, so this
 * is where they get their types: a wrong form is refused before anything happens, and what a method
 * does not know is left out.
 */
import { type ApprovalMode, type JsonObject, PmlError } from '../core/index.js';
import type { ControlMethod, ControlParams } from './contract.js';
import type { ActivityOutcome, ActivityWay } from './contract/activity.js';
import type { CapabilityChange } from './contract/capabilities.js';
import type { ImportMode } from './contract/experience.js';
import type { GraphLevel } from './contract/graph.js';
import { FORGET_TARGETS } from './contract/speculation.js';
import {
  anything,
  fields,
  flag,
  id,
  list,
  object,
  choiceOf,
  optional,
  text,
  texts,
  whole,
  wholeFrom,
  words,
} from './read-fields.js';

/** No more decisions are kept. */
const MOST_DECISIONS = 20_000;
const APPROVALS: readonly ApprovalMode[] = ['risky', 'per_layer', 'never'];
const WAYS: readonly ActivityWay[] = ['meta', 'direct', 'run'];
const OUTCOMES: readonly ActivityOutcome[] = ['ok', 'error', 'failed', 'cancelled'];
const LEVELS: readonly GraphLevel[] = ['collapsed', 'all'];
const MOST_DAYS = 3_650;
const MOST_TOKEN_MS = 3_650 * 86_400_000;
const MOST_ROWS = 500;
const MOST_EVENTS = 2_000;
const MOST_NODES = 5_000;
const MOST_DEPTH = 5;
const IMPORT_MODES: readonly ImportMode[] = ['check', 'dry-run', 'import'];

type ParamReaders = {
  readonly [M in ControlMethod]: (params: JsonObject) => ControlParams<M>;
};

const PARAMS: ParamReaders = {
  status: fields({}),
  memory: fields({ pauses: optional(flag) }),
  stop: fields({ ifUnused: optional(flag) }),
  'http-open': fields({ port: optional(whole) }),
  'http-close': fields({}),
  'ui-open': fields({}),
  'sign-in-begin': fields({ server: text, device: optional(flag) }),
  'sign-in-wait': fields({ id, waitMs: optional(whole) }),
  'sign-in-paste': fields({ id, redirected: text }),
  'sign-out': fields({ server: text }),
  'sign-ins': fields({}),
  'token-create': fields({
    name: text,
    servers: optional(texts),
    readOnly: optional(flag),
    profile: optional(text),
    expiresInMs: optional(wholeFrom(1, MOST_TOKEN_MS)),
  }),
  tokens: fields({}),
  'token-revoke': fields({ name: text }),
  tools: fields({}),
  lists: fields({ waitMs: optional(whole) }),
  refresh: fields({ server: optional(text) }),
  approve: fields({ tool: text }),
  block: fields({ tool: text }),
  'tool-policies': fields({}),
  changes: fields({ limit: optional(whole) }),
  search: fields({
    intent: words('Say in a few words what is wanted'),
    server: optional(text),
    limit: optional(whole),
    patient: optional(flag),
  }),
  index: fields({ start: optional(flag), rebuild: optional(flag) }),
  import: fields({ rows: list, mode: choiceOf(IMPORT_MODES) }),
  learn: fields({}),
  explain: fields({ what: words('Say what is wanted, or give the id of a run') }),
  'metrics-ranking': fields({ last: optional(wholeFrom(1, MOST_DECISIONS)) }),
  'metrics-reliability': fields({ last: optional(wholeFrom(1, MOST_DECISIONS)) }),
  'metrics-speculation': fields({}),
  'metrics-learning': fields({}),
  forget: fields({ what: choiceOf(FORGET_TARGETS) }),
  'metrics-history': fields({ days: optional(wholeFrom(1, MOST_DAYS)) }),
  activity: fields({
    text: optional(text),
    client: optional(text),
    tool: optional(text),
    server: optional(text),
    run: optional(text),
    way: optional(choiceOf(WAYS)),
    outcome: optional(choiceOf(OUTCOMES)),
    before: optional(text),
    limit: optional(wholeFrom(1, MOST_ROWS)),
  }),
  'activity-show': fields({ id }),
  questions: fields({}),
  'run-start': readStart,
  'code-start': readStart,
  runs: fields({ limit: optional(whole) }),
  'run-show': fields({ run: id, full: optional(flag) }),
  'run-watch': fields({ run: id, after: optional(whole), waitMs: optional(whole) }),
  'run-events': fields({
    run: id,
    after: optional(whole),
    limit: optional(wholeFrom(1, MOST_EVENTS)),
  }),
  'run-decide': (params) => ({ ...params, run: id(params['run'], 'run') }),
  result: fields({ handle: id, path: optional(text) }),
  capabilities: fields({}),
  'capability-show': fields({ name: text }),
  'capability-change': readChange,
  'capabilities-export': fields({ name: optional(text) }),
  'capabilities-skills': fields({ name: optional(text) }),
  'capabilities-verify': fields({
    name: optional(text),
    all: optional(flag),
    args: optional(object),
  }),
  'capabilities-import': fields({ file: anything }),
  'graph-stats': fields({}),
  'graph-show': fields({ id: text }),
  'graph-view': fields({
    limit: optional(wholeFrom(1, MOST_NODES)),
    focus: optional(text),
    depth: optional(wholeFrom(1, MOST_DEPTH)),
    level: optional(choiceOf(LEVELS)),
  }),
  'graph-path': fields({ from: text, to: text }),
  'graph-rebuild': fields({ force: optional(flag) }),
  'graph-progress': fields({}),
};

/** Rejects what has not the form that the contract gives it, with `BAD_REQUEST`. */
export function readParams<M extends ControlMethod>(
  method: M,
  params: JsonObject,
): ControlParams<M> {
  return PARAMS[method](params);
}

/** The rest is read where a workflow is read. */
function readStart({ userApprove, ...rest }: JsonObject): ControlParams<'run-start'> {
  const approve = optional(choiceOf(APPROVALS))(userApprove, 'userApprove');
  return { ...rest, ...(approve && { userApprove: approve }) };
}

function readChange(params: JsonObject): CapabilityChange {
  const { action } = params;
  const name = text(params['name'], 'name');
  const force = optional(flag)(params['force'], 'force') ?? false;
  switch (action) {
    case 'rename':
      return { name, action, to: text(params['to'], 'to') };
    case 'merge':
      return { name, action, into: text(params['into'], 'into') };
    case 'pin':
    case 'unpin':
    case 'enable':
      return { name, action };
    case 'restore':
      return { name, action, version: whole(params['version'], 'version') };
    case 'disable': {
      const reason = optional(text)(params['reason'], 'reason');
      return { name, action, force, ...(reason && { reason }) };
    }
    case 'delete':
      return { name, action, force };
    default:
      throw new PmlError('BAD_REQUEST', `Unknown action ${JSON.stringify(action)}`);
  }
}
