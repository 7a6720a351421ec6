import type { ToolId } from '../core/index.js';
import {
  type GatherOptions,
  gatherCandidates,
  type IntentMemory,
  type Model,
  type Question,
  rankCandidates,
  type RankingSources,
  type SessionKnowledge,
} from '../ranking/index.js';
import type { ToolIndex } from '../search/index.js';
import type { SemanticIndex } from './meaning/semantic-index.js';
import type { Experience } from './past/experience.js';
import type { WeighedTools } from './weighed-tools.js';

export type WeighingSources = RankingSources & { readonly memory: IntentMemory };

interface Known {
  readonly index: ToolIndex;
  readonly experience: Experience;
  readonly session: SessionKnowledge | undefined;
}

/** What questions of a space are weighed against; words alone where there is none. */
export function weighingSources(
  semantic: SemanticIndex | undefined,
  { index, experience, session }: Known,
): WeighingSources {
  const common = {
    index,
    reliability: experience.reliability,
    ...(session && { session: (called: readonly ToolId[]) => session.view(called) }),
  };
  if (!semantic) return { ...common, memory: experience.words };
  const { tools, servers, reference, memory } = semantic;
  return { ...common, tools, servers, reference, memory };
}

interface Weighing {
  readonly sources: WeighingSources;
  readonly model: Model;
  readonly options: GatherOptions;
}

/** What speaks for which tools, best first. */
export function weighQuestion(
  question: Question,
  { sources, model, options }: Weighing,
): WeighedTools {
  const { candidates, similar, trust } = gatherCandidates(question, sources, options);
  const byMeaning = sources.tools !== undefined;
  const tools = rankCandidates(candidates, model, { byMeaning, tools: sources.index.size });
  return { tools, similar, trust, byMeaning };
}
