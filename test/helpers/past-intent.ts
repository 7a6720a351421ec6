import { parseToolId, type ToolId } from '../../src/core/index.js';
import type { PastIntent, Question } from '../../src/ranking/index.js';
import { toyVector } from './toy-embedder.js';

export const id = (text: string): ToolId => parseToolId(text).id;

/** A question as a toy model sees it. */
export function aQuestion(text: string, needs: readonly string[] = []): Question {
  return {
    text,
    vector: toyVector(text),
    needs: needs.map((need) => ({ text: need, vector: toyVector(need) })),
  };
}

export interface IntentOptions {
  readonly id?: string;
  readonly group?: string;
  readonly needs?: readonly string[];
}

/** A past request as a toy model sees it; its text is its id unless there is another. */
export function anIntent(
  text: string,
  tools: readonly string[],
  { id: own = text, group = own, needs = [] }: IntentOptions = {},
): PastIntent {
  return { ...aQuestion(text, needs), id: own, group, tools: tools.map(id) };
}

/** The same without vectors, as when no model is loaded. */
export function withoutVectors<Q extends Question>(question: Q): Omit<Q, 'vector'> {
  const { vector: _vector, ...rest } = question;
  return { ...rest, needs: question.needs.map(({ text }) => ({ text })) };
}
