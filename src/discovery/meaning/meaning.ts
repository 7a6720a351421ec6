import {
  type EmbeddingStore,
  type ExecutionTrace,
  type Logger,
  messageOf,
} from '../../core/index.js';
import type { Question, RequestMemory } from '../../ranking/index.js';
import { askedText, splitNeeds } from '../../words/index.js';
import { withPatience } from '../with-patience.js';
import { type ComparedTexts, compareTexts } from './compare-texts.js';
import { type Searchable, SemanticIndex } from './semantic-index.js';
import { type LoadableEmbedder, VectorSource } from './vector-source.js';

export interface MeaningOptions {
  readonly log: Logger;
  readonly now: () => Date;
  /** Whether `use` or `useWordsOnly` is going to be told with what to search. */
  readonly isModelComing: boolean;
  /** Whether vectors are made before anything asks for them. */
  readonly isModelWanted: boolean;
  /** What is to be found with a model from its beginning. */
  readonly requests: RequestMemory;
  /** The first model has all there is. */
  readonly onCaughtUp: () => void;
  /** Another model took the place of the one before. */
  readonly onSwitched: () => Promise<void>;
}

interface CompareOptions {
  /** Settles when PML has read its memory. */
  readonly remembered: Promise<void>;
  readonly patienceMs: number;
  readonly log: Logger;
}

interface NewIndexes {
  readonly current?: SemanticIndex | undefined;
  readonly next?: SemanticIndex | undefined;
}

/** A question that gets no vector in this time is answered by words. */
const PATIENCE_MS = 1_500;

/** With which model meaning is compared: none, one, or one and the one that is to follow it. */
export class Meaning implements AsyncDisposable {
  readonly #options: MeaningOptions;
  #searchable: Searchable = { tools: new Map(), servers: new Map() };
  #current: SemanticIndex | undefined;
  /** Takes the place of `#current` when it holds as much. */
  #next: SemanticIndex | undefined;
  #error: string | undefined;
  #isWarmUpWanted = false;
  /** Whether vectors are made: something asked for them, or is likely to. */
  #isAsked: boolean;
  /** Whether it is known with what to search. */
  #tellModelChosen = () => {};
  readonly #modelChosen = new Promise<void>((resolve) => {
    this.#tellModelChosen = resolve;
  });
  #patienceEnds: number | undefined;
  #isClosed = false;

  constructor(options: MeaningOptions) {
    this.#options = options;
    this.#isAsked = options.isModelWanted;
  }

  /** What questions are compared with. */
  get current(): SemanticIndex | undefined {
    return this.#current;
  }

  /** The one wanted last, ready or not. */
  get latest(): SemanticIndex | undefined {
    return this.#next ?? this.#current;
  }

  get error(): string | undefined {
    return this.#error ?? this.latest?.error;
  }

  /** Does without a model, because none is wanted or for the reason given. */
  async useWordsOnly(error?: string): Promise<void> {
    this.#tellModelChosen();
    const all = [this.#current, this.#next];
    this.#current = undefined;
    this.#next = undefined;
    this.#error = error;
    for (const one of all) await one?.[Symbol.asyncDispose]();
  }

  /** Uses this model from now on. The one before serves until the new one has caught up. */
  async use(embedder: LoadableEmbedder, store: EmbeddingStore | undefined): Promise<void> {
    if (this.#isClosed) return embedder[Symbol.asyncDispose]();
    this.#error = undefined;
    const { log, requests } = this.#options;
    const source = new VectorSource({ embedder, store, log });
    const index = new SemanticIndex(source, { log, requests });
    if (!this.#current) {
      this.#current = index;
      this.#tellModelChosen();
      this.#warmUp();
      this.#fill({ current: index });
      return;
    }
    const before = this.#next;
    this.#next = index;
    this.#fill({ next: index });
    await before?.[Symbol.asyncDispose]();
  }

  /** The tools there are now. */
  sync(searchable: Searchable): void {
    this.#searchable = searchable;
    if (!this.#isAsked) return;
    void this.#current?.sync(searchable);
    this.#warmUp();
    const caughtUp = this.#next;
    void caughtUp?.sync(searchable).then(() => this.#switchTo(caughtUp));
  }

  /** Resolves when they are found by meaning. */
  remember(traces: readonly ExecutionTrace[]): Promise<unknown> {
    if (!this.#isAsked) return Promise.resolve();
    const ids = traces.map(({ id }) => id);
    return Promise.all([this.#current?.remember(ids), this.#next?.remember(ids)]);
  }

  /** Loads the model as soon as there is one, so that the next question need not do without. */
  warmUp(): void {
    this.#isWarmUpWanted = true;
    this.#wake();
    this.#warmUp();
  }

  /**
   * Waits until questions are answered by meaning and with all that is remembered: right after a start
   * a plan would be made of words alone. The time runs once for all requests, so that a model that does
   * not load delays at most the first questions.
   */
  async prepared(remembered: () => Promise<void>, patienceMs: number): Promise<void> {
    const now = this.#options.now().getTime();
    this.#patienceEnds ??= now + patienceMs;
    const left = this.#patienceEnds - now;
    if (left > 0) await withPatience(this.#preparation(remembered), left);
  }

  /** A request with its vectors, and the space they are of: it may be another when they are there. */
  async question(intent: string): Promise<{ question: Question; semantic?: SemanticIndex }> {
    const text = askedText(intent);
    const needs = splitNeeds(intent);
    const plain = { question: { text, needs: needs.map((need) => ({ text: need })) } };
    const semantic = this.#current;
    if (!semantic) return plain;
    this.#wake();
    if (!semantic.source.isReady) {
      this.warmUp();
      if (!(await this.#hasReturned(semantic))) return plain;
    }
    try {
      const vectors = await withPatience(semantic.source.question([text, ...needs]), PATIENCE_MS);
      if (!vectors) return plain;
      const parts = needs.map((need, at) => ({ text: need, vector: vectors[at + 1]! }));
      return { question: { text, vector: vectors[0]!, needs: parts }, semantic };
    } catch (error) {
      this.#options.log.warn('searched by words only', { error: messageOf(error) });
      return plain;
    }
  }

  /** How near texts are in meaning. Loads the model first if necessary. */
  async compare(
    texts: readonly string[],
    { remembered, patienceMs, log }: CompareOptions,
  ): Promise<ComparedTexts> {
    const end = performance.now() + patienceMs;
    const found = await withPatience(this.#loaded(remembered), patienceMs);
    if (!found) return { isLate: 'the model is still loading; ask again in a moment' };
    const left = Math.max(0, end - performance.now());
    return found.source ? compareTexts(found.source, texts, { log, patienceMs: left }) : {};
  }

  /** Resolves when everything it was given is found. */
  async settled(): Promise<void> {
    await this.#current?.settled();
    await this.#next?.settled();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    const all = [this.#current, this.#next].flatMap((one) => one ?? []);
    await Promise.all(all.map((one) => this.#end(one)));
  }

  /** Resolves with the model when it is loaded, or with nothing if no model will load. */
  async #loaded(remembered: Promise<void>): Promise<{ readonly source?: VectorSource }> {
    await remembered;
    if (this.#options.isModelComing) await this.#modelChosen;
    const source = this.#current?.source;
    if (!source || source.state.state === 'failed') return {};
    if (source.isReady) return { source };
    this.#isWarmUpWanted = true;
    this.#wake();
    // The loader itself reports why the model did not load.
    return source.warmUp().then(
      () => ({ source }),
      () => ({}),
    );
  }

  async #preparation(remembered: () => Promise<void>): Promise<void> {
    await remembered();
    if (this.#options.isModelComing) await this.#modelChosen;
    this.warmUp();
    const semantic = this.#current;
    if (!semantic || this.#searchable.tools.size === 0) return;
    // The loader itself reports why the model did not load.
    const isLoaded = await semantic.source.warmUp().then(
      () => true,
      () => false,
    );
    if (isLoaded) await semantic.settled();
  }

  /** Whether a model that rested is there again, where that takes no longer than a vector may. */
  async #hasReturned({ source }: SemanticIndex): Promise<boolean> {
    const { loadMs = Infinity } = source.state;
    if (loadMs > PATIENCE_MS) return false;
    // The loader itself reports why the model did not load.
    const loaded = source.warmUp().then(
      () => true,
      () => false,
    );
    return (await withPatience(loaded, PATIENCE_MS)) ?? false;
  }

  /** From now on there are vectors of everything. */
  #wake(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.#fill({ current: this.#current, next: this.#next });
  }

  /** Gives new models everything there is to be found. */
  #fill({ current, next: coming }: NewIndexes): void {
    if (!this.#isAsked) return;
    const { requests, onCaughtUp } = this.#options;
    const caughtUp = (index: SemanticIndex) =>
      Promise.all([index.sync(this.#searchable), index.remember(requests.ids())]);
    if (current) void caughtUp(current).then(onCaughtUp);
    if (coming) void caughtUp(coming).then(() => this.#switchTo(coming));
  }

  #warmUp(): void {
    if (!this.#isWarmUpWanted || this.#searchable.tools.size === 0) return;
    this.#current?.source.warmUp().catch((error: unknown) =>
      this.#options.log.warn('search by words only: the model did not load', {
        error: messageOf(error),
      }),
    );
  }

  /** A model that could not embed everything does not take over; the next list tries again. */
  async #switchTo(index: SemanticIndex): Promise<void> {
    if (this.#isClosed || this.#next !== index || index.isIncomplete) return;
    const before = this.#current;
    this.#current = index;
    this.#next = undefined;
    this.#options.log.info('searching with another model', { space: index.source.space.id });
    if (before) await this.#end(before);
    await this.#options.onSwitched();
  }

  async #end(index: SemanticIndex): Promise<void> {
    try {
      await index[Symbol.asyncDispose]();
    } catch (error) {
      this.#options.log.warn('a model did not end well', { error: messageOf(error) });
    }
  }
}
