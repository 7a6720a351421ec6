import * as z from 'zod';

import type { ToolId } from '../../src/core/index.js';
import type { SessionMoment, Suggester, Suggestion } from '../../src/suggest/index.js';
import type { ToolSet } from './tool-set.js';

/** Nothing else of a question is read. */
export const Question = z.object({ id: z.coerce.string(), query: z.string() });
export const NextQuestion = Question.extend({ done: z.array(z.string()) });

export interface PlanAnswer {
  readonly id: string;
  readonly nodes: readonly string[];
  readonly edges: readonly (readonly [string, string])[];
}

/** A suggested plan in the words of its data set. */
export function planAnswer(
  id: string,
  { members, links, broken }: Suggestion,
  toolSet: ToolSet,
): PlanAnswer {
  return {
    id,
    nodes: members.map(({ tool }) => nameIn(toolSet, tool)),
    // Where two tools pass values to each other, the plan begins with one; that the other does, too, is known.
    edges: [...links, ...broken].map(({ from, to }) => [
      nameIn(toolSet, from),
      nameIn(toolSet, to),
    ]),
  };
}

export interface NextAnswer {
  readonly id: string;
  readonly ranked: readonly string[];
}

const RANKED = 50;

/** What comes next, in the words of its data set. */
export async function nextAnswer(
  { id, query, done }: z.infer<typeof NextQuestion>,
  suggester: Suggester,
  toolSet: ToolSet,
  moment?: SessionMoment,
): Promise<NextAnswer> {
  const steps = await suggester.next(query, idsIn(toolSet, done), moment);
  return { id, ranked: steps.slice(0, RANKED).map(({ tool }) => nameIn(toolSet, tool)) };
}

export function idsIn({ idOf }: ToolSet, names: readonly string[]): readonly ToolId[] {
  return names.flatMap((name) => idOf.get(name) ?? []);
}

export function nameIn({ nameOf }: ToolSet, tool: ToolId): string {
  return nameOf.get(tool) ?? tool;
}
