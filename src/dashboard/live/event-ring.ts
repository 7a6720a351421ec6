/** One message of the stream as it is sent. */
export interface SentEvent {
  readonly seq: number;
  readonly text: string;
}

export interface RingLimits {
  readonly events: number;
  readonly characters: number;
}

/** The last messages, for browsers that lost their connection. */
export class EventRing {
  readonly #limits: RingLimits;
  #events: SentEvent[] = [];
  #characters = 0;

  constructor(limits: RingLimits) {
    this.#limits = limits;
  }

  add(event: SentEvent): void {
    this.#events.push(event);
    this.#characters += event.text.length;
    const { events, characters } = this.#limits;
    // In steps, so that not every message moves all the others.
    const isFull = this.#events.length > events * 1.25 || this.#characters > characters * 1.25;
    if (isFull) this.#shrink(events, characters);
  }

  /** Everything after `seq`, where `last` is the newest there is; undefined if part of it is gone. */
  after(seq: number, last: number): readonly SentEvent[] | undefined {
    if (seq === last) return [];
    const first = this.#events[0]?.seq;
    if (first === undefined || seq < first - 1 || seq > last) return undefined;
    return this.#events.slice(seq + 1 - first);
  }

  clear(): void {
    this.#events = [];
    this.#characters = 0;
  }

  #shrink(most: number, characters: number): void {
    let drop = Math.max(0, this.#events.length - most);
    for (let place = 0; place < drop; place++) {
      this.#characters -= this.#events[place]?.text.length ?? 0;
    }
    while (this.#characters > characters && drop < this.#events.length) {
      this.#characters -= this.#events[drop++]?.text.length ?? 0;
    }
    this.#events = this.#events.slice(drop);
  }
}
