/** Made-up sessions: a list is asked for, its items are gone through, now and then something is sent. */
import type { CatalogTool, JsonValue, ServerName, ToolId } from '../../src/core/index.js';
import type { SessionCall, Situation } from '../../src/speculation/index.js';
import type { RecordedSession } from '../../src/speculation/predict/recorded-session.js';
import { seededRandom } from './seeded-random.js';
import { INTENTS, syntheticTools } from './synthetic-tools.js';
import type { ToolSet } from './tool-set.js';

const TOOLS = 200;
const SESSION_CALLS = 25;
const LISTED = 20;

interface Sizes {
  /** Calls of all sessions together. */
  readonly calls: number;
  readonly asked: number;
  /** Calls before each situation. */
  readonly history: number;
}

export function syntheticSessions({ calls, asked, history }: Sizes) {
  const tools = syntheticTools(TOOLS);
  const random = seededRandom(11);
  const sessions = Array.from({ length: Math.ceil(calls / SESSION_CALLS) }, (_, at) =>
    session(tools, random, at, SESSION_CALLS),
  );
  const situations = Array.from({ length: asked }, (_, at): Situation => {
    const { intent, calls: own } = session(tools, random, at, history);
    return { session: `asked ${at}`, client: 'bench', intent, calls: own };
  });
  return { toolSet: asToolSet(tools), sessions, situations };
}

function session(
  tools: readonly CatalogTool[],
  random: () => number,
  at: number,
  length: number,
): RecordedSession {
  const pick = () => tools[Math.floor(random() * tools.length)]!.id;
  const calls: SessionCall[] = [];
  const call = (tool: ToolId, args: SessionCall['args'], output: JsonValue) => {
    const turn = calls.length;
    calls.push({ tool, args, output, ok: true, turn, at: turn });
  };
  while (calls.length < length) {
    const [list, get, send] = [pick(), pick(), pick()];
    const project = `project-${Math.floor(random() * 9)}`;
    const items = Array.from({ length: LISTED }, (_, place) => itemOf(random, place));
    call(list, { project, limit: LISTED }, { items, total: items.length });
    for (const item of items.slice(0, 6)) call(get, { project, id: item['id'] as string }, item);
    call(send, { to: `team-${at % 5}`, text: `Done with ${project}` }, 'Sent.');
  }
  const intent = `${INTENTS[at % INTENTS.length]} in project-${at % 9}, see /data/${at}/notes.md`;
  return { intent, calls: calls.slice(0, length), group: `${at}`, hasEnded: true };
}

function itemOf(random: () => number, place: number): Readonly<Record<string, JsonValue>> {
  const id = `item-${Math.floor(random() * 1e6)}`;
  const owner = { name: `user ${place % 4}`, mail: `user${place % 4}@example.com` };
  return { id, owner, title: `Title of ${id}`, path: `/data/${id}.md`, size: place };
}

function asToolSet(tools: readonly CatalogTool[]): ToolSet {
  const names = tools.map(({ id }) => [id, id] as const);
  return {
    tools: new Map(tools.map((tool) => [tool.id, tool])),
    servers: new Map<ServerName, string>(),
    idOf: new Map<string, ToolId>(names),
    nameOf: new Map<ToolId, string>(names),
  };
}
