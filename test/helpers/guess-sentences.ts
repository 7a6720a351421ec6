/**
 * Sentences over the servers of `guess-servers.ts`, and an agent that trusts the plans it gets: it runs
 * them as they are, fills only what the sentence leaves open, and approves a call if its values are right.
 */
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

import {
  type AskedCall,
  type GuessAgent,
  type GuessPlan,
  type GuessRun,
  isWriting,
  type ServerCall,
} from './guess-servers.js';

type Json = Record<string, unknown>;

interface Procedure {
  /** What the agent ran, with `<name>` where the examples differ: tasks, or code. */
  readonly tasks?: readonly Json[];
  readonly code?: string;
  readonly examples: readonly (Json & { readonly intent: string })[];
}

export interface Sentence {
  /** Every set has one sentence of each kind. */
  readonly kind: string;
  readonly ask: string;
  /** The calls that serve it, and no others. */
  readonly calls: readonly ServerCall[];
  /** What the agent puts into holes, by `server:tool.parameter`: the sentence does not say it. */
  readonly fill?: Readonly<Record<string, unknown>>;
}

interface Sentences {
  readonly files: Readonly<Record<string, string>>;
  readonly procedures: Readonly<Record<string, Procedure>>;
  readonly shown: readonly Sentence[];
  readonly kept: readonly Sentence[];
  readonly fresh: readonly Sentence[];
}

export interface Verdict {
  readonly ask: string;
  readonly isRight: boolean;
  /** Calls of writing tools that the sentence does not want, or not with these values. */
  readonly wrongWrites: readonly ServerCall[];
  /** What went otherwise than it should. */
  readonly because: string;
  readonly plan: GuessPlan;
  readonly calls: readonly ServerCall[];
  readonly asked: readonly AskedCall[];
}

const FILE = new URL('../fixtures/guess/sentences.json', import.meta.url);

/** Files of the folder, which the sentences name by their whole path. */
export const sentenceFiles = (): Sentences['files'] => sentencesIn('').files;

export function sentencesIn(folder: string): Sentences {
  const text = readFileSync(FILE, 'utf8').replaceAll('<folder>', folder);
  return JSON.parse(text) as Sentences;
}

/**
 * The agent does every procedure five times and gives every value itself. It does them in turns, as
 * people ask for them: PML learns in the background from what it has seen so far.
 */
export async function teach(agent: GuessAgent): Promise<void> {
  const all = Object.values(sentencesIn(agent.folder).procedures);
  const turns = Math.max(...all.map(({ examples }) => examples.length));
  // The first plan loads the model. PML then learns from all examples with the model it answers with.
  await agent.plan({ intent: all[0]!.examples[0]!.intent });
  await agent.modelLoaded();
  for (let turn = 0; turn < turns; turn++) {
    for (const { tasks, code, examples } of all) {
      const { intent, ...values } = examples[turn]!;
      if (tasks) await complete(agent, { intent, tasks: insert(tasks, values) });
      else await complete(agent, { intent, code: insert(code, values) });
    }
  }
  await agent.remembered(all.length * turns);
  await agent.learned();
}

/** The agent gives every value, so nothing is asked. */
async function complete(agent: GuessAgent, request: Json): Promise<void> {
  const tool = 'code' in request ? 'pml_execute_code' : 'pml_execute_workflow';
  const { text, value } = await agent.call(tool, request);
  const isDone = value['status'] === undefined || value['status'] === 'completed';
  if (isDone && !text.startsWith('[')) return;
  throw new Error(`the example did not work: ${JSON.stringify(request)}: ${text}`);
}

/** A text that is a placeholder becomes the value itself, so that numbers stay numbers. */
function insert(template: unknown, values: Json): unknown {
  if (Array.isArray(template)) return template.map((one) => insert(one, values));
  if (typeof template === 'string') {
    const whole = /^<(\w+)>$/.exec(template)?.[1];
    if (whole !== undefined) return values[whole];
    return template.replaceAll(/<(\w+)>/g, (_, name: string) => String(values[name]));
  }
  if (typeof template !== 'object' || template === null) return template;
  const entries = Object.entries(template).map(([key, one]) => [key, insert(one, values)]);
  return Object.fromEntries(entries) as Json;
}

/** Asks for a plan and runs it as an agent would that checks no plan, only what it is asked about. */
export async function serve(agent: GuessAgent, sentence: Sentence): Promise<Verdict> {
  const { ask, calls: wanted } = sentence;
  const before = agent.calls.length;
  const plan = await agent.plan({ intent: ask });
  const asked: AskedCall[] = [];
  const open = holesOf(plan).filter((hole) => sentence.fill?.[hole] === undefined);
  let answer: GuessRun | undefined;
  // Also with holes that it cannot fill: PML must not fill them with something wrong by itself.
  if (plan.tasks.length > 0) {
    answer = await agent.run({ intent: ask, tasks: filled(plan, sentence) });
  }
  while (answer?.status === 'needs_approval' || answer?.status === 'needs_decision') {
    asked.push(...(answer.asks ?? []));
    answer = await decide(agent, answer, sentence);
  }
  const calls = agent.calls.slice(before);
  const { missing, extra } = compare(wanted, calls);
  const problems = [
    ...open.map((hole) => `hole ${hole}`),
    ...(plan.tasks.length === 0 ? ['no plan'] : []),
    ...(answer && answer.status !== 'completed' ? [`run ${answer.status}`] : []),
    ...missing.map((one) => `lacks ${describeCall(one)}`),
    ...extra.map((one) => `made ${describeCall(one)}`),
  ];
  return {
    ask,
    isRight: problems.length === 0,
    wrongWrites: extra.filter(isWriting),
    because: problems.join('; '),
    plan,
    calls,
    asked,
  };
}

function holesOf({ tasks, holes = [] }: GuessPlan): readonly string[] {
  const toolOf = new Map(tasks.map(({ id, tool }) => [id, tool]));
  return holes.map(({ task, param }) => `${toolOf.get(task) ?? task}.${param}`);
}

/** The tasks unchanged, except for the holes that the sentence leaves open. */
function filled({ tasks, holes = [] }: GuessPlan, { fill = {} }: Sentence): readonly Json[] {
  const isKnown = (tool: string, param: string) => fill[`${tool}.${param}`] !== undefined;
  return tasks.map((task) => {
    const own = holes.filter(({ task: id, param }) => id === task.id && isKnown(task.tool, param));
    if (own.length === 0) return { ...task };
    const values = own.map(({ param }) => [param, fill[`${task.tool}.${param}`]]);
    return { ...task, args: { ...task.args, ...(Object.fromEntries(values) as Json) } };
  });
}

/** Approves the calls whose values are right and rejects the others. */
async function decide(
  agent: GuessAgent,
  { run, status, asks = [] }: GuessRun,
  sentence: Sentence,
): Promise<GuessRun> {
  if (status === 'needs_decision' || asks.some(({ by }) => by === 'person') || asks.length === 0) {
    return agent.decide(run, 'abort');
  }
  const right = asks.filter((one) => isWanted(one, sentence));
  const [decision, about] = right.length > 0 ? ['approve', right] : ['reject', asks];
  return agent.decide(run, decision, { tasks: about.map(({ task }) => task) });
}

/** A capability is judged by what it is given: words of the sentence, or texts of its own code. */
function isWanted({ tool, args }: AskedCall, { ask, calls }: Sentence): boolean {
  if (!tool.startsWith('cap:')) return calls.some((one) => matches(one, { tool, args }));
  const codes = Object.values(sentencesIn('').procedures).map(({ code = '' }) => code);
  return leavesOf(args).every((leaf) => [ask, ...codes].some((text) => text.includes(leaf)));
}

function leavesOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.values(value).flatMap(leavesOf);
}

/** Each wanted call is made once. */
function compare(wanted: readonly ServerCall[], made: readonly ServerCall[]) {
  const missing = [...wanted];
  const extra = made.filter((one) => {
    const place = missing.findIndex((other) => matches(other, one));
    if (place >= 0) missing.splice(place, 1);
    return place < 0;
  });
  return { missing, extra };
}

/** Arguments that the sentence does not name may have any value. */
function matches(wanted: ServerCall, made: ServerCall): boolean {
  return (
    wanted.tool === made.tool &&
    Object.entries(wanted.args).every(([param, value]) => isMet(value, made.args[param]))
  );
}

function isMet(wanted: unknown, value: unknown): boolean {
  const { begins, contains } = (wanted ?? {}) as {
    readonly begins?: string;
    readonly contains?: readonly string[];
  };
  if (typeof begins === 'string') return typeof value === 'string' && value.startsWith(begins);
  if (Array.isArray(contains)) {
    return typeof value === 'string' && contains.every((one: string) => value.includes(one));
  }
  return isDeepStrictEqual(wanted, value);
}

const describeCall = ({ tool, args }: ServerCall) => `${tool} ${JSON.stringify(args)}`;
