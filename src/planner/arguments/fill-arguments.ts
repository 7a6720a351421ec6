import {
  type GuessSource,
  type JsonValue,
  mentionsSecret,
  type Task,
  type TaskId,
  type ToolId,
} from '../../core/index.js';
import { SURE_OF_OPTIONAL, WORTH_A_HINT } from '../../learning/index.js';
import { nameWords } from '../../words/index.js';
import type { Literal, LiteralKind } from '../literals/literal.js';
import type { PlannableTool } from '../plannable-tool.js';
import { argumentCandidates, type ArgumentCandidate } from './argument-candidates.js';
import { assignBest } from './assign.js';
import { isAllowed, parameterOf, placesInside } from './fill-nested.js';
import { type PlaceOptions, type Places, placeTasks } from './fill-places.js';
import { isOtherRole, roleOf } from './fill-roles.js';
import { namedChoice } from './named-choice.js';
import { parameterWants } from './parameter-wants.js';

/** A value for a parameter that the agent left open. */
export interface ProposedValue {
  readonly task: TaskId;
  readonly param: string;
  readonly value: JsonValue;
  readonly source: GuessSource;
  /** How likely it is meant, from 0 to 1. */
  readonly score: number;
  /** Why, in words. */
  readonly because: string;
  /** The past run it comes from. */
  readonly run?: string;
}

/** Two literals this close are about as good. */
const ABOUT_EQUAL = 0.07;
/** What remains of a score when another literal would do as well. */
const AMBIGUOUS = 0.6;
/** What remains of a score when the request named the literal for another task. */
const ELSEWHERE = 0.45;
/** What a score gains when the literal stands where the request asks for the task. */
const HERE = 0.15;
const LEAST_HERE = 0.35;
const MOST_LIKELY = 0.97;
/** Texts meant for one task; paths and names may concern the whole request. */
const OWN_TEXT: ReadonlySet<LiteralKind> = new Set(['quoted', 'text', 'code']);
const PLACED: ReadonlySet<LiteralKind> = new Set(['path', 'url', ...OWN_TEXT]);
/** Words of parameter names that do not say what the parameter belongs to. */
const ANYTHING = new Set(
  'path file folder url text query name value input output source destination message title body data'.split(
    ' ',
  ),
);
/** A request with more of them is a document. */
const MOST_LITERALS = 200;
const MOST_PARAMETERS = 60;
const MOST_CHARACTERS = 20_000;

export interface FillRequest extends PlaceOptions {
  readonly intent: string;
  readonly literals: readonly Literal[];
}

/**
 * Proposes values from the literals of a request, for required parameters and for optional ones that
 * it clearly names. Within a task each literal goes where it fits best on the whole; of several tasks
 * the one that is asked for beside it takes it, unless all of them are about the same thing; tasks of
 * the same tool take literals about as good in turn.
 */
export function fillArguments(
  tasks: readonly Task[],
  request: FillRequest,
  tools: ReadonlyMap<ToolId, PlannableTool>,
): readonly ProposedValue[] {
  const literals = request.literals.slice(0, MOST_LITERALS);
  const intent = request.intent.slice(0, MOST_CHARACTERS);
  const words = nameWords(intent);
  const drafts = tasks.flatMap((task): Draft[] => {
    const tool = tools.get(task.tool);
    return tool ? [draftTask(task, { tool, literals, words })] : [];
  });
  const places = placeTasks(tasks, { ...request, intent, literals });
  return nearest(drafts, { literals, places }).flatMap((draft) => {
    const twins = tasks.filter(({ tool }) => tool === draft.task.tool);
    return settle(draft, { place: twins.indexOf(draft.task), of: twins.length });
  });
}

interface Filling {
  readonly tool: PlannableTool;
  readonly literals: readonly Literal[];
  /** Of the request. */
  readonly words: readonly string[];
}

/** What one task could be given. */
interface Draft {
  readonly task: Task;
  readonly choices: readonly Pick<ProposedValue, 'param' | 'value' | 'score' | 'because'>[];
  readonly candidates: readonly ArgumentCandidate[];
  readonly isWorth: (one: { readonly param: string; readonly score: number }) => boolean;
}

function draftTask(task: Task, { tool, literals, words }: Filling): Draft {
  const isGiven = (path: string) => Object.hasOwn(task.args, parameterOf(path, tool.inputSchema));
  const open = placesInside(tool.inputSchema)
    .filter(({ path }) => !isGiven(path) && !mentionsSecret(path))
    .slice(0, MOST_PARAMETERS)
    .map(parameterWants);
  const required = new Set(
    open.filter(({ parameter }) => parameter.isRequired).map(({ parameter }) => parameter.path),
  );
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
  return {
    task,
    choices,
    candidates: argumentCandidates(tool, free, literals),
    isWorth: ({ param, score }) => score >= (required.has(param) ? WORTH_A_HINT : SURE_OF_OPTIONAL),
  };
}

function settle(
  { task, choices, candidates: all, isWorth }: Draft,
  turn: Turn,
): readonly ProposedValue[] {
  // A value too unsure for an optional parameter must stay free for a required one.
  const candidates = all.filter(isWorth);
  const assigned = assignBest(candidates);
  const filled = assigned.map((one) => inTurn(one, { candidates, assigned }, turn));
  return [...choices, ...filled].filter(isWorth).map(({ param, value, score, because }) => {
    return { task: task.id, param, value, source: 'literal', score, because };
  });
}

interface Placed {
  readonly literals: readonly Literal[];
  readonly places: Places;
}

/** Leaves each literal to the tasks that the request names it for. */
function nearest(drafts: readonly Draft[], { literals, places }: Placed): readonly Draft[] {
  const byStart = new Map(literals.map((literal) => [literal.start, literal]));
  const fitting = eachCandidate(drafts, (one, draft, rivals) => {
    const literal = byStart.get(one.start);
    return literal && isOtherPurpose(one, literal, { draft, isContended: rivals.length > 0 })
      ? ELSEWHERE
      : 1;
  });
  const own = eachCandidate(fitting, (one, { task }, rivals) => {
    const literal = byStart.get(one.start);
    if (!literal || !isPlaced(literal) || places.distance(task.id, literal) === 0) return 1;
    const isElsewhere = rivals.some((rival) => {
      const isBeside = places.distance(rival.task, literal) === 0;
      return isBeside && !mayShare(one, rival.one, literal);
    });
    return isElsewhere ? ELSEWHERE : 1;
  });
  return own.map((draft) => ({
    ...draft,
    candidates: draft.candidates.map((one) => {
      const literal = byStart.get(one.start);
      const isHere = literal && isPlaced(literal) && places.distance(draft.task.id, literal) === 0;
      return isHere && one.score >= LEAST_HERE
        ? { ...one, score: Math.min(MOST_LIKELY, one.score + HERE) }
        : one;
    }),
  }));

  /** The tasks share the only literal of its kind, or their parameters have a word in common. */
  function mayShare(one: ArgumentCandidate, rival: ArgumentCandidate, literal: Literal): boolean {
    const kind = kindOf(literal);
    const values = literals.filter((other) => kindOf(other) === kind).map(({ value }) => value);
    if (new Set(values).size === 1 && !OWN_TEXT.has(kind)) return true;
    const words = new Set(tellingWords(rival.param));
    return tellingWords(one.param).some((word) => words.has(word));
  }

  function isOtherPurpose(
    { param }: ArgumentCandidate,
    literal: Literal,
    { draft, isContended }: { readonly draft: Draft; readonly isContended: boolean },
  ): boolean {
    const { id, tool } = draft.task;
    if (kindOf(literal) !== 'path') return false;
    return isOtherRole(roleOf(places.leadingTo(literal)), {
      tool,
      param,
      asked: places.wordsAt(id),
      isContended: isContended && tellingWords(param).length === 0,
    });
  }
}

interface Rival {
  readonly task: TaskId;
  /** The parameter that would get the literal. */
  readonly one: ArgumentCandidate;
}

/** Multiplies scores by their factors. Rivals: tasks of other tools that would take the literal. */
function eachCandidate(
  drafts: readonly Draft[],
  factor: (one: ArgumentCandidate, draft: Draft, rivals: readonly Rival[]) => number,
): readonly Draft[] {
  const takersOf = new Map<number, { readonly tool: ToolId; readonly rival: Rival }[]>();
  for (const { task, candidates } of drafts) {
    const best = new Map<number, ArgumentCandidate>();
    for (const one of candidates) {
      if (one.score >= WORTH_A_HINT && one.score > (best.get(one.start)?.score ?? 0)) {
        best.set(one.start, one);
      }
    }
    for (const [start, one] of best) {
      const taker = { tool: task.tool, rival: { task: task.id, one } };
      takersOf.set(start, [...(takersOf.get(start) ?? []), taker]);
    }
  }
  return drafts.map((draft) => ({
    ...draft,
    candidates: draft.candidates.map((one) => {
      const rivals = (takersOf.get(one.start) ?? []).flatMap(({ tool, rival }) => {
        return tool === draft.task.tool ? [] : [rival];
      });
      return { ...one, score: one.score * factor(one, draft, rivals) };
    }),
  }));
}

/** A request as a whole has names, numbers and dates; these kinds belong to one step. */
const isPlaced = (literal: Literal): boolean => PLACED.has(kindOf(literal));

const kindOf = ({ kind, looks }: Literal): LiteralKind => looks ?? kind;

function tellingWords(param: string): readonly string[] {
  return nameWords(param).filter((word) => !ANYTHING.has(word));
}

interface Turn {
  readonly place: number;
  readonly of: number;
}

/**
 * One of several about equal literals is only a guess, unless this tool has as many tasks: then
 * each task takes its own, in the order of the request.
 */
function inTurn(
  one: ArgumentCandidate,
  {
    candidates,
    assigned,
  }: { candidates: readonly ArgumentCandidate[]; assigned: readonly ArgumentCandidate[] },
  turn: Turn,
): ArgumentCandidate {
  const elsewhere = new Set(assigned.filter((other) => other !== one).map(({ column }) => column));
  const others = candidates
    .filter(({ row, column }) => row === one.row && !elsewhere.has(column))
    .toSorted((a, b) => a.start - b.start);
  const equals = others.filter(({ score }) => Math.abs(score - one.score) <= ABOUT_EQUAL);
  // If there are as many literals as tasks, each task has its own, even with a lower score.
  const shared = [equals, others].find(({ length }) => turn.of > 1 && length === turn.of);
  const own = shared?.[turn.place];
  if (own) return { ...own, score: Math.max(own.score, one.score - ABOUT_EQUAL) };
  const values = new Set(equals.map(({ value }) => JSON.stringify(value)));
  return values.size <= 1 ? one : { ...one, score: one.score * AMBIGUOUS };
}
