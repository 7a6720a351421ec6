import type { JsonValue, Task, TaskId, ToolId } from '../core/index.js';
import { argumentCandidates, type Candidate, isAllowed } from './argument-candidates.js';
import { assignBest } from './assign.js';
import { isSecretName } from './keep-args.js';
import type { Literal } from './literal.js';
import { nameWords } from './name-words.js';
import { namedChoice } from './named-choice.js';
import { parameterWants } from './parameter-wants.js';
import type { PlannableTool } from './plannable-tool.js';
import { inputParameters } from './schema-fields.js';

/** A value for a parameter nobody gave one to. */
export interface ProposedValue {
  readonly task: TaskId;
  readonly param: string;
  readonly value: JsonValue;
  /** How likely it is meant, from 0 to 1. */
  readonly score: number;
  /** Why, in words. */
  readonly because: string;
  /** The past run it comes from. */
  readonly run?: string;
}

/** What is less likely is proposed, and not done: a call with wrong arguments is worse than a question. */
export const SURE = 0.5;
/** An optional parameter is only given where the request clearly speaks of it. */
const SURE_OF_OPTIONAL = 0.75;
const WORTH_A_HINT = 0.25;
/** Two literals this close are about as good. */
const ABOUT_EQUAL = 0.07;
/** What remains of a score when another literal would do as well. */
const AMBIGUOUS = 0.6;
/** A request with more of them is a document. */
const MOST_LITERALS = 200;
const MOST_PARAMETERS = 60;
const MOST_CHARACTERS = 20_000;

/**
 * Proposes values from the literals of a request, for required parameters and for optional ones that
 * it clearly names. Within a task each literal goes where it fits best on the whole; several tasks
 * may take the same one, and tasks of the same tool take literals about as good in turn.
 */
export function fillArguments(
  tasks: readonly Task[],
  request: { readonly intent: string; readonly literals: readonly Literal[] },
  tools: ReadonlyMap<ToolId, PlannableTool>,
): readonly ProposedValue[] {
  const literals = request.literals.slice(0, MOST_LITERALS);
  const words = nameWords(request.intent.slice(0, MOST_CHARACTERS));
  return tasks.flatMap((task) => {
    const tool = tools.get(task.tool);
    if (!tool) return [];
    const twins = tasks.filter(({ tool: other }) => other === task.tool);
    const turn = { place: twins.indexOf(task), of: twins.length };
    return fillTask(task, { tool, literals, words, turn });
  });
}

interface Filling {
  readonly tool: PlannableTool;
  readonly literals: readonly Literal[];
  /** Of the request. */
  readonly words: readonly string[];
  readonly turn: { readonly place: number; readonly of: number };
}

function fillTask(task: Task, { tool, literals, words, turn }: Filling): readonly ProposedValue[] {
  const open = inputParameters(tool.inputSchema)
    .filter(({ path }) => !Object.hasOwn(task.args, path) && !isSecretName(path))
    .slice(0, MOST_PARAMETERS)
    .map(parameterWants);
  const required = new Set(
    open.filter(({ parameter }) => parameter.isRequired).map(({ parameter }) => parameter.path),
  );
  const isWorth = ({ param, score }: { readonly param: string; readonly score: number }) =>
    score >= (required.has(param) ? WORTH_A_HINT : SURE_OF_OPTIONAL);
  const toolWords = nameWords(task.tool);
  const choices = open.flatMap((wants) => {
    const named = namedChoice(wants, words, toolWords);
    const param = wants.parameter.path;
    return named && isAllowed(tool.inputSchema, param, named.value) ? [{ param, ...named }] : [];
  });
  const chosen = new Set(choices.map(({ param }) => param));
  const free = open.filter(
    ({ parameter }) => !chosen.has(parameter.path) && parameter.choices.length === 0,
  );
  // What an optional parameter would not be given anyway must not keep it from a required one.
  const candidates = argumentCandidates(tool, free, literals).filter(isWorth);
  const assigned = assignBest(candidates);
  const filled = assigned.map((one) => inTurn(one, { candidates, assigned }, turn));
  return [...choices, ...filled]
    .filter(isWorth)
    .map(({ param, value, score, because }) => ({ task: task.id, param, value, score, because }));
}

/**
 * One of several literals about as good is only a guess, unless there are as many tasks of this tool:
 * then each takes its own, in the order of the request.
 */
function inTurn(
  one: Candidate,
  { candidates, assigned }: { candidates: readonly Candidate[]; assigned: readonly Candidate[] },
  turn: Filling['turn'],
): Candidate {
  const elsewhere = new Set(assigned.filter((other) => other !== one).map(({ column }) => column));
  const equals = candidates
    .filter(({ row, column }) => row === one.row && !elsewhere.has(column))
    .filter(({ score }) => Math.abs(score - one.score) <= ABOUT_EQUAL)
    .toSorted((a, b) => a.start - b.start);
  const values = new Set(equals.map(({ value }) => JSON.stringify(value)));
  if (values.size <= 1) return one;
  const own = turn.of > 1 && equals.length === turn.of ? equals[turn.place] : undefined;
  return own ?? { ...one, score: one.score * AMBIGUOUS };
}
