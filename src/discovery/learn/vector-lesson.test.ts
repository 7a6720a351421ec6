import { expect, test } from 'vitest';

import { anIntent, id } from '../../../test/helpers/past-intent.js';
import { toyVector } from '../../../test/helpers/toy-embedder.js';
import { SLANG, TOOL_TEXTS } from '../../../test/helpers/vector-task.js';
import { learnToolVectors, type VectorTask } from '../../attention/index.js';
import type { ToolId } from '../../core/index.js';
import { IntentMemory, type PastIntent } from '../../ranking/index.js';
import { createVectorIndex } from '../../search/index.js';
import { nearRequests } from './near-requests.js';
import { VectorLessonTaken } from './vector-lesson.js';

const pause = async () => {};
const tools = TOOL_TEXTS.map((_, at) => `s:tool${at}`);

function slang(count: number): readonly PastIntent[] {
  return Array.from({ length: count }, (_, at) =>
    anIntent(`${SLANG[at % 8]} thing${at} matter${at}`, [tools[at % 8]!]),
  );
}

async function lessonFrom(intents: readonly PastIntent[], held: readonly string[]) {
  const index = createVectorIndex<ToolId>(64);
  tools.forEach((tool, at) => index.set(id(tool), toyVector(TOOL_TEXTS[at]!)));
  const memory = new IntentMemory({ dimension: 64 });
  for (const intent of intents) memory.add(intent);
  const tasks: VectorTask[] = [];
  const lesson = new VectorLessonTaken({
    train: async (task) => {
      tasks.push({ ...task, requests: [...task.requests] });
      return learnToolVectors(tasks[0]!);
    },
    memory,
    tools: index,
    space: 'toy',
    hashOf: (tool) => `text of ${tool}`,
  });
  const asked = held.map((one) => memory.get(one)!);
  await lesson.learn(asked, await nearRequests(memory, asked, { pause }));
  return { lesson, tasks };
}

test('fewer than 500 requests teach no vectors', async () => {
  const intents = slang(499);

  const { lesson, tasks } = await lessonFrom(intents, [intents[0]!.id]);

  expect([tasks.length, lesson.learned, lesson.of(intents[0]!.id)]).toEqual([
    0,
    undefined,
    undefined,
  ]);
});

// covers: VEC-HELD-OUT
test('a planted request in the group of a request does not change what vectors say of that request', async () => {
  const intents = slang(504);
  const { id: asked, text, group } = intents[3]!;
  // The last of all, so that no other request changes its fold.
  const planted = anIntent(`${text} again`, [tools[6]!], { id: 'planted', group });
  const reworded = anIntent(text.toUpperCase(), [tools[6]!], { id: 'reworded' });

  const before = await lessonFrom(intents, [asked]);
  const after = await lessonFrom([...intents, planted, reworded], [asked]);

  const [task] = after.tasks;
  const own = [...task!.requests].filter(({ right }, at) => at >= 504 && right.includes(6));
  const [held] = [...task!.requests].filter(({ isHeldOut }) => isHeldOut);
  expect(own.map(({ fold }) => fold)).toEqual([held!.fold, held!.fold]);
  for (const tool of tools) {
    expect(after.lesson.of(asked)!(id(tool))).toBe(before.lesson.of(asked)!(id(tool)));
  }
  expect(after.lesson.learned?.tools[0]).toEqual({ id: 's:tool0', hash: 'text of s:tool0' });
});
