import type { VectorScorer, VectorTrainer } from '../../attention/index.js';
import type { CatalogTool, ToolId } from '../../core/index.js';
import type { IntentMemory, RankingSources } from '../../ranking/index.js';
import { contentHash, toolText } from '../../tool-text/index.js';
import type { Searchable, SemanticIndex } from '../meaning/semantic-index.js';
import type { ReplayedPast } from './learner.js';
import { replayIntents, type ReplayOptions } from './replay.js';
import { VectorLessonTaken } from './vector-lesson.js';

interface WithVectors extends Omit<ReplayOptions, 'vectors'> {
  /** The space that vectors are learned in; none where words alone are compared. */
  readonly semantic: SemanticIndex | undefined;
  readonly tools: Searchable['tools'];
  /** Missing where no vectors are wanted. */
  readonly train: VectorTrainer | undefined;
}

/** Replays past requests, and learns vectors of tools from them where that is wanted. */
export async function replayWithVectors(
  sources: RankingSources & { readonly memory: IntentMemory },
  { semantic, tools, train, ...options }: WithVectors,
): Promise<ReplayedPast> {
  const hashOf = (id: ToolId) => {
    const tool = tools.get(id);
    return tool ? textHash(tool) : '';
  };
  const vectors =
    semantic && train
      ? new VectorLessonTaken({
          train,
          memory: semantic.memory,
          tools: semantic.tools,
          space: semantic.source.space.id,
          hashOf,
        })
      : undefined;
  const examples = await replayIntents(sources, { ...options, vectors });
  return { examples, vectors: vectors?.learned, failure: vectors?.failure };
}

/** Tools whose text changed lose what was learned of them, and they alone. */
export function checkTexts(scorers: readonly VectorScorer[], tools: Iterable<CatalogTool>): void {
  if (scorers.length === 0) return;
  for (const tool of tools) {
    const hash = textHash(tool);
    for (const scorer of scorers) scorer.check(tool.id, hash);
  }
}

function textHash({ definition }: CatalogTool): string {
  return contentHash(toolText(definition));
}
