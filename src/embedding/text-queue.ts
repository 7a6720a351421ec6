import type { EmbedRequest } from './model-protocol.js';

export interface Job {
  readonly request: EmbedRequest;
  readonly vectors: Float32Array[];
}

/**
 * Which text comes next: queries before everything else, requests of the same priority in their
 * order. A request is worked on text by text, so a query waits for one text at most.
 */
export class TextQueue {
  readonly #queries = new Map<number, Job>();
  readonly #background = new Map<number, Job>();

  add(request: EmbedRequest): void {
    const jobs = request.priority === 'query' ? this.#queries : this.#background;
    jobs.set(request.id, { request, vectors: [] });
  }

  remove(id: number): void {
    this.#queries.delete(id);
    this.#background.delete(id);
  }

  /** The job to continue, if there is any. */
  next(): Job | undefined {
    for (const jobs of [this.#queries, this.#background]) {
      for (const job of jobs.values()) return job;
    }
    return undefined;
  }
}
