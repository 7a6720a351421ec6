import type {
  AlgorithmTrace,
  DailyOutcomes,
  Capability,
  CapabilityStore,
  CapabilityUpdate,
  DecisionOutcome,
  EmbeddingSpace,
  EmbeddingStore,
  Episode,
  EpisodeStore,
  ExecutionTrace,
  ExperienceStore,
  LoadTraces,
  FoundResult,
  GraphDelta,
  GraphOf,
  ObservedOutput,
  OutputStore,
  RankingModel,
  RankingStore,
  PruneResults,
  ResultStore,
  StoredResult,
  StoredThreshold,
  StoredVectors,
} from '../../src/core/index.js';
import { applyUpdate } from '../../src/safekeeping/apply-update.js';

/** Rejects everything while `failure` is set. */
class Fallible {
  failure: Error | undefined;

  protected check(): void {
    if (this.failure) throw this.failure;
  }
}

class MemoryExperience extends Fallible implements ExperienceStore {
  readonly rows = new Map<string, ExecutionTrace>();
  /** What was added to the graph with each write. */
  readonly deltas: GraphDelta[] = [];

  async load({ limit, owner }: LoadTraces): Promise<readonly ExecutionTrace[]> {
    this.check();
    return [...this.rows.values()].filter((trace) => trace.owner === owner).slice(-limit);
  }

  async add(traces: readonly ExecutionTrace[], graphOf: GraphOf): Promise<readonly string[]> {
    this.check();
    const added: ExecutionTrace[] = [];
    for (const trace of traces) {
      if (this.rows.has(trace.id) || this.#hasRun(trace.run)) continue;
      this.rows.set(trace.id, trace);
      added.push(trace);
    }
    this.deltas.push(graphOf(added));
    return added.map(({ id }) => id);
  }

  async count(): Promise<number> {
    return this.rows.size;
  }

  #hasRun(run: ExecutionTrace['run']): boolean {
    return run !== undefined && [...this.rows.values()].some((trace) => trace.run === run);
  }
}

/** One model is active at a time. */
function saveAmong(saved: Map<string, RankingModel>, model: RankingModel): void {
  for (const [id, one] of saved) {
    if (model.status === 'active' && one.status === 'active') {
      saved.set(id, { ...one, status: 'retired' });
    }
  }
  saved.delete(model.id);
  saved.set(model.id, model);
}

class MemoryRanking extends Fallible implements RankingStore {
  readonly decisions = new Map<string, AlgorithmTrace>();
  readonly outcomes = new Map<string, DecisionOutcome>();
  readonly saved = new Map<string, RankingModel>();
  readonly savedVectors = new Map<string, StoredVectors>();
  readonly savedPlans = new Map<string, RankingModel>();
  /** How many decisions came with each write. */
  readonly batches: number[] = [];
  readonly pruned: number[] = [];
  /** What writes wait for, if anything. */
  gate: Promise<void> | undefined;

  async addTraces(traces: readonly AlgorithmTrace[]): Promise<void> {
    await this.gate;
    this.check();
    this.batches.push(traces.length);
    for (const trace of traces) this.decisions.set(trace.id, trace);
  }

  async setOutcome(trace: string, outcome: DecisionOutcome): Promise<void> {
    this.check();
    this.outcomes.set(trace, outcome);
  }

  async traces({
    limit,
    judged = false,
    run,
  }: Parameters<RankingStore['traces']>[0]): Promise<readonly AlgorithmTrace[]> {
    return [...this.decisions.values()]
      .map((trace) => {
        const outcome = this.outcomes.get(trace.id) ?? trace.outcome;
        return outcome ? { ...trace, outcome } : trace;
      })
      .filter(({ outcome }) => (!judged || outcome) && (!run || outcome?.run === run))
      .toReversed()
      .slice(0, limit);
  }

  async daily(): Promise<readonly DailyOutcomes[]> {
    return [];
  }

  async prune({ keep }: { keep: number }): Promise<void> {
    this.pruned.push(keep);
  }

  async models({ limit }: { limit: number }): Promise<readonly RankingModel[]> {
    this.check();
    return [...this.saved.values()].toReversed().slice(0, limit);
  }

  async saveModel(model: RankingModel): Promise<void> {
    this.check();
    saveAmong(this.saved, model);
  }

  async planModels(): Promise<readonly RankingModel[]> {
    this.check();
    return [...this.savedPlans.values()].toReversed();
  }

  async savePlanModel(model: RankingModel): Promise<void> {
    this.check();
    saveAmong(this.savedPlans, model);
  }

  async vectors(model: string): Promise<StoredVectors | undefined> {
    this.check();
    return this.savedVectors.get(model);
  }

  async saveVectors(vectors: StoredVectors): Promise<void> {
    this.check();
    this.savedVectors.set(vectors.model, vectors);
  }
}

class MemoryEmbeddings extends Fallible implements EmbeddingStore {
  readonly vectors = new Map<string, Float32Array>();

  async spaces() {
    return [];
  }

  async load(space: EmbeddingSpace, hashes: readonly string[]) {
    this.check();
    const found = new Map<string, Float32Array>();
    for (const hash of hashes) {
      const vector = this.vectors.get(`${space.id} ${hash}`);
      if (vector) found.set(hash, vector);
    }
    return found;
  }

  async save(space: EmbeddingSpace, vectors: ReadonlyMap<string, Float32Array>): Promise<void> {
    this.check();
    for (const [hash, vector] of vectors) this.vectors.set(`${space.id} ${hash}`, vector);
  }

  async remove(space: EmbeddingSpace, hashes: readonly string[]): Promise<void> {
    this.check();
    for (const hash of hashes) this.vectors.delete(`${space.id} ${hash}`);
  }

  async removeSpace(): Promise<void> {}
}

class MemoryOutputs extends Fallible implements OutputStore {
  readonly rows = new Map<string, ObservedOutput>();

  async load(): Promise<readonly ObservedOutput[]> {
    this.check();
    return [...this.rows.values()];
  }

  async save(outputs: readonly ObservedOutput[]): Promise<void> {
    this.check();
    for (const output of outputs) this.rows.set(output.tool, output);
  }
}

class MemoryCapabilities extends Fallible implements CapabilityStore {
  readonly rows = new Map<string, Capability>();
  /** Everything that was saved, in order. */
  readonly updates: CapabilityUpdate[] = [];

  async load(): Promise<readonly Capability[]> {
    this.check();
    return [...this.rows.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
  }

  async save(update: CapabilityUpdate): Promise<void> {
    this.check();
    const rows = applyUpdate(this.rows, update);
    this.updates.push(update);
    this.rows.clear();
    for (const [name, row] of rows) this.rows.set(name, row);
  }
}

class MemoryResults extends Fallible implements ResultStore {
  readonly rows = new Map<string, StoredResult & { gone?: 'expired' | 'dropped' }>();
  /** What writes wait for, if anything. */
  gate: Promise<void> | undefined;

  async save(result: StoredResult): Promise<number> {
    await this.gate;
    this.check();
    if (!this.rows.has(result.handle)) this.rows.set(result.handle, result);
    return result.text.length;
  }

  async load(handle: string, now: Date): Promise<FoundResult> {
    this.check();
    const row = this.rows.get(handle);
    if (!row) return { status: 'unknown' };
    if (row.gone === 'dropped') return { status: 'dropped' };
    const { text, mimeType, expiresAt } = row;
    if (row.gone || expiresAt <= now) return { status: 'expired', expiresAt };
    return { status: 'kept', text, mimeType, expiresAt };
  }

  async prune({ now, maxBytes, forgetBefore }: PruneResults): Promise<void> {
    this.check();
    let bytes = 0;
    const newestFirst = [...this.rows.values()]
      .filter(({ gone }) => !gone)
      .toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
    for (const row of newestFirst) {
      if (row.expiresAt <= now) row.gone = 'expired';
      else if ((bytes += row.text.length) > maxBytes) row.gone = 'dropped';
    }
    for (const [handle, { gone, expiresAt }] of this.rows) {
      if (gone && expiresAt <= forgetBefore) this.rows.delete(handle);
    }
  }
}

class MemoryEpisodes extends Fallible implements EpisodeStore {
  readonly rows = new Map<string, Episode>();
  readonly kept = new Map<string, StoredThreshold>();
  /** How many episodes came with each write. */
  readonly batches: number[] = [];
  /** What reading and writing waits for, if anything. */
  gate: Promise<void> | undefined;

  async add(episodes: readonly Episode[]): Promise<void> {
    await this.gate;
    this.check();
    if (episodes.length > 0) this.batches.push(episodes.length);
    for (const one of episodes) {
      const intent = one.intent.replaceAll('\0', '\uFFFD');
      if (!this.rows.has(one.id)) this.rows.set(one.id, { ...one, intent });
    }
  }

  async load({ limit }: { limit: number }): Promise<readonly Episode[]> {
    await this.gate;
    this.check();
    return this.#oldestFirst().slice(-limit);
  }

  async prune({ keep }: { keep: number }): Promise<void> {
    this.check();
    const leaving = this.#oldestFirst().slice(0, -keep);
    for (const { id } of leaving) this.rows.delete(id);
  }

  async forget(): Promise<number> {
    this.check();
    const { size } = this.rows;
    this.rows.clear();
    return size;
  }

  async thresholds(): Promise<readonly StoredThreshold[]> {
    this.check();
    return [...this.kept]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, row]) => row);
  }

  async saveThresholds(thresholds: readonly StoredThreshold[]): Promise<void> {
    this.check();
    for (const one of thresholds) this.kept.set(`${one.rung} ${one.kind}`, one);
  }

  async forgetThresholds(): Promise<number> {
    this.check();
    const { size } = this.kept;
    this.kept.clear();
    return size;
  }

  #oldestFirst(): readonly Episode[] {
    return [...this.rows.values()].toSorted(
      (one, other) => one.at.getTime() - other.at.getTime() || (one.id < other.id ? -1 : 1),
    );
  }
}

/** Stores that live as long as the test, and fail when told to. */
export function memoryStores() {
  return {
    capabilities: new MemoryCapabilities(),
    embeddings: new MemoryEmbeddings(),
    episodes: new MemoryEpisodes(),
    experience: new MemoryExperience(),
    outputs: new MemoryOutputs(),
    ranking: new MemoryRanking(),
    results: new MemoryResults(),
  };
}
