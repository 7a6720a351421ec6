import type { ToolId } from '../core/index.js';
import {
  type GatherOptions,
  gatherCandidates,
  type IntentMemory,
  type Question,
  rankCandidates,
  type RankingSources,
  type SessionKnowledge,
} from '../ranking/index.js';
import type { ToolIndex } from '../search/index.js';
import type { ActiveModel } from './learn/learner.js';
import { vectorsOf } from './learn/vector-lesson.js';
import type { SemanticIndex } from './meaning/semantic-index.js';
import type { Experience } from './past/experience.js';
import type { WeighedTools } from './weighed-tools.js';

export type WeighingSources = RankingSources & { readonly memory: IntentMemory };

interface Known {
  readonly index: ToolIndex;
  readonly experience: Experience;
  readonly session: SessionKnowledge | undefined;
  /** The experience is a client's own: requests of the index are not its own. */
  readonly isOwned: boolean;
}

/** What questions of a space are weighed against; words alone where there is none. */
export function weighingSources(
  semantic: SemanticIndex | undefined,
  { index, experience, session, isOwned }: Known,
): WeighingSources {
  const common = {
    index,
    reliability: experience.reliability,
    ...(session && { session: (called: readonly ToolId[]) => session.view(called) }),
  };
  if (!semantic) return { ...common, memory: experience.words };
  const { tools, servers, reference } = semantic;
  const memory = isOwned ? experience.words : semantic.memory;
  return { ...common, tools, servers, reference, memory };
}

interface WeighingOptions extends GatherOptions {
  readonly active: ActiveModel;
  /** The embedding space of the question; none where words alone are compared. */
  readonly space: string | undefined;
  /** Learned vectors know the answers to what they were learned from: a replay must do without. */
  readonly isReplay?: boolean;
}

/** What speaks for which tools, as the model in use weighs it. */
export function weighQuestion(
  question: Question,
  sources: RankingSources,
  { active, space, isReplay = false, ...options }: WeighingOptions,
): WeighedTools {
  const { vectors: scorer, model, withoutVectors = model } = active;
  const { tools: frozen } = sources;
  const isTrained = scorer?.space === space && question.vector !== undefined && !isReplay;
  const trained =
    isTrained && scorer && frozen
      ? (asked: Question) => scorer.score(vectorsOf(asked), frozen)
      : undefined;
  const { candidates, similar, trust } = gatherCandidates(
    question,
    { ...sources, trained },
    options,
  );
  const byMeaning = space !== undefined;
  const tools = rankCandidates(candidates, trained ? model : withoutVectors, {
    byMeaning,
    tools: sources.index.size,
  });
  return { tools, similar, trust, byMeaning };
}
