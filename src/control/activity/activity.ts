import type { KeptCall, KeptText } from '../../activity/index.js';
import { PmlError } from '../../core/index.js';
import type { ToolDirectory } from '../../tools/index.js';
import type { ControlParams } from '../contract.js';
import type {
  ActivityDetails,
  ActivityFilter,
  ActivityPage,
  ActivityRow,
  RawMessage,
} from '../contract/activity.js';

interface ActiveDaemon {
  readonly workflows: { readonly tools: Pick<ToolDirectory, 'activity'> };
  mask(text: string): string;
}

const LISTED_CALLS = 100;
const SHOWN_ERROR = 300;
/** Of a text that was cut: a secret that the cut went through is not recognised any more. */
const UNSURE_CHARACTERS = 512;

/** The last calls that fit the filter, newest first. */
export async function listActivity(
  daemon: ActiveDaemon,
  { limit = LISTED_CALLS, before, ...filter }: ControlParams<'activity'>,
): Promise<ActivityPage> {
  const { activity } = daemon.workflows.tools;
  const all = activity.newest();
  const oldest = before === undefined ? Infinity : numberOf(before);
  const fits = all.filter((call) => call.number < oldest && isWanted(call, filter));
  const shown = fits.slice(0, limit);
  const last = shown.at(-1);
  return {
    rows: shown.map((call) => activityRow(call, (text) => daemon.mask(text))),
    ...(last && fits.length > shown.length && { next: idOf(last) }),
    kept: all.length,
    total: activity.total,
    clients: [...new Set(all.map(({ client }) => client))].toSorted(),
    servers: [...new Set(all.flatMap(({ server }) => server ?? []))].toSorted(),
  };
}

export async function showActivity(
  daemon: ActiveDaemon,
  { id }: ControlParams<'activity-show'>,
): Promise<ActivityDetails> {
  const call = daemon.workflows.tools.activity.find(numberOf(id));
  if (!call) throw new PmlError('BAD_REQUEST', `Call ${id} is not kept any more`);
  const mask = (text: string) => daemon.mask(text);
  const { request, response } = call;
  return {
    ...activityRow(call, mask),
    ...(request && { request: rawMessage(request, mask) }),
    ...(response && { response: rawMessage(response, mask) }),
  };
}

/** What is shown of a call: no arguments, no results, no secrets. */
export function activityRow(call: KeptCall, mask: (text: string) => string): ActivityRow {
  const { at, ms, client, way, tool, server, outcome, error, run, task } = call;
  return {
    id: idOf(call),
    at: new Date(at).toISOString(),
    ms,
    client,
    way,
    tool,
    ...(server !== undefined && { server }),
    outcome,
    ...(error !== undefined && { error: mask(error).slice(0, SHOWN_ERROR) }),
    requestBytes: call.requestBytes,
    responseBytes: call.responseBytes,
    ...(call.isSpeculated && { isSpeculated: true }),
    ...(run !== undefined && { run }),
    ...(task !== undefined && { task }),
  };
}

function isWanted(call: KeptCall, filter: Omit<ActivityFilter, 'before' | 'limit'>): boolean {
  const { text, ...exact } = filter;
  const isExact = Object.entries(exact).every(
    ([field, value]) => value === undefined || call[field as keyof typeof exact] === value,
  );
  if (!isExact || !text) return isExact;
  const { tool, client, run = '', error = '' } = call;
  const told = `${tool} ${client} ${run} ${error}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => told.includes(word));
}

function rawMessage({ text, isCut }: KeptText, mask: (text: string) => string): RawMessage {
  const masked = mask(text);
  return { text: isCut ? masked.slice(0, -UNSURE_CHARACTERS) : masked, isCut };
}

function idOf({ number }: KeptCall): string {
  return `a${number}`;
}

function numberOf(id: string): number {
  const number = /^a(\d{1,15})$/.exec(id)?.[1];
  if (number === undefined) throw new PmlError('BAD_REQUEST', `${id} is no id of a call`);
  return Number(number);
}
