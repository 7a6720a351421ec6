import type { LoadedConfig } from '../../config/load.js';
import type { DiscoveryStatus } from '../../discovery/index.js';
import type { Workflows } from '../../workflows/index.js';
import type { SearchStatus } from '../contract/search.js';

export interface SearchingDaemon {
  readonly config: LoadedConfig;
  readonly workflows: Workflows;
}

export function statusOf({ config, workflows }: SearchingDaemon): SearchStatus {
  return searchStatus(workflows.tools.discovery.status, config);
}

/** What to report about the search. Between the start and the opening of the model it counts as loading. */
function searchStatus(status: DiscoveryStatus, config: LoadedConfig): SearchStatus {
  const { model } = config.file.embedding;
  const { space, state, tools, withVectors, waiting, remembered, made, ranking } = status;
  const failure = 'error' in state ? state.error : undefined;
  const error = status.error ?? failure;
  return {
    model,
    ...(space !== undefined && { space }),
    state: stateOf(status, model),
    ...('runtime' in state && state.runtime !== undefined && { runtime: state.runtime }),
    ...('loadMs' in state && state.loadMs !== undefined && { loadMs: state.loadMs }),
    tools,
    indexed: withVectors,
    waiting,
    made,
    remembered,
    ranking: { kind: ranking.kind, metric: ranking.metric },
    ...(error !== undefined && { error, fix: fixOf(config) }),
  };
}

function stateOf({ state, error }: DiscoveryStatus, model: string): SearchStatus['state'] {
  if (state.state !== 'none') return state.state;
  if (error !== undefined) return 'failed';
  return model === 'none' ? 'none' : 'loading';
}

function fixOf({ path }: LoadedConfig): string {
  return `Correct "embedding" in ${path} ("gte-small" is built in, "none" does without a model), then run pml index; pml doctor tries the model.`;
}
