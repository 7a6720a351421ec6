import {
  type Guess,
  isCapability,
  isJsonObject,
  type JsonValue,
  type Task,
  type ToolId,
} from '../../core/index.js';
import { propertiesOf } from '../../schema/index.js';
import type { Hole } from '../flow/complete-plan.js';
import type { PlannableTool } from '../plannable-tool.js';

const SHOWN_CHARACTERS = 60;

/** A default that so many uses of a capability left as it was is the likelier, the more they are. */
export function withProof(task: Task, tool: PlannableTool | undefined): Task {
  const { guessed } = task;
  const uses = tool?.provenBy;
  if (!guessed || uses === undefined) return task;
  const judged = Object.entries(guessed).map(([param, guess]): [string, Guess] => {
    if (guess.source !== 'lifted default') return [param, guess];
    const because = `none of ${uses} successful ${uses === 1 ? 'use' : 'uses'} is known to have changed it`;
    return [param, { ...guess, score: (uses + 1) / (uses + 2), because }];
  });
  return { ...task, guessed: Object.fromEntries(judged) };
}

interface Asked {
  readonly tasks: readonly Task[];
  readonly tools: ReadonlyMap<ToolId, PlannableTool>;
}

/** A hole of a capability shows what the capability was learned with: that is no value for it. */
export function withExample(hole: Hole, { tasks, tools }: Asked): Hole {
  const tool = tasks.find(({ id }) => id === hole.task)?.tool;
  const schema = tool && isCapability(tool) ? tools.get(tool)?.inputSchema : undefined;
  const properties = schema ? propertiesOf(schema) : {};
  const field = Object.hasOwn(properties, hole.param) ? properties[hole.param] : undefined;
  const examples = isJsonObject(field) ? field['examples'] : undefined;
  if (!Array.isArray(examples) || examples.length === 0) return hole;
  const text = `learned with ${shown(examples[0] as JsonValue)}`;
  return { ...hole, hint: hole.hint === undefined ? text : `${hole.hint}; ${text}` };
}

function shown(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
