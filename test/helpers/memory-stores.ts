import type {
  AlgorithmTrace,
  DecisionOutcome,
  EmbeddingSpace,
  EmbeddingStore,
  ExecutionTrace,
  ExperienceStore,
  ObservedOutput,
  OutputStore,
  RankingModel,
  RankingStore,
} from '../../src/core/index.js';

/** Rejects everything while `failure` is set. */
class Fallible {
  failure: Error | undefined;

  protected check(): void {
    if (this.failure) throw this.failure;
  }
}

class MemoryExperience extends Fallible implements ExperienceStore {
  readonly rows = new Map<string, ExecutionTrace>();

  async load({ limit }: { limit: number }): Promise<readonly ExecutionTrace[]> {
    this.check();
    return [...this.rows.values()].slice(-limit);
  }

  async add(traces: readonly ExecutionTrace[]): Promise<number> {
    this.check();
    const before = this.rows.size;
    for (const trace of traces) {
      const isKnown = this.rows.has(trace.id) || this.#hasRun(trace.run);
      if (!isKnown) this.rows.set(trace.id, trace);
    }
    return this.rows.size - before;
  }

  async count(): Promise<number> {
    return this.rows.size;
  }

  #hasRun(run: ExecutionTrace['run']): boolean {
    return run !== undefined && [...this.rows.values()].some((trace) => trace.run === run);
  }
}

class MemoryRanking extends Fallible implements RankingStore {
  readonly decisions = new Map<string, AlgorithmTrace>();
  readonly outcomes = new Map<string, DecisionOutcome>();
  readonly saved = new Map<string, RankingModel>();
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

  async traces({ limit }: { limit: number }): Promise<readonly AlgorithmTrace[]> {
    return [...this.decisions.values()].toReversed().slice(0, limit);
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
    if (model.status === 'active') {
      for (const [id, one] of this.saved) {
        if (one.status === 'active') this.saved.set(id, { ...one, status: 'retired' });
      }
    }
    this.saved.set(model.id, model);
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

  async removeSpace(): Promise<void> {}

  async nearest() {
    return [];
  }
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

/** Stores that live as long as the test, and fail when told to. */
export function memoryStores() {
  return {
    embeddings: new MemoryEmbeddings(),
    experience: new MemoryExperience(),
    outputs: new MemoryOutputs(),
    ranking: new MemoryRanking(),
  };
}
