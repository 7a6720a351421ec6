import type { SessionCall, Situation } from '../situation.js';
import type { Moment } from './argument-model.js';
import { kept } from './kept-map.js';

interface OpenTurn {
  turn: number;
  calls: SessionCall[];
}

const MOST_SESSIONS = 64;

/**
 * The calls of one turn are observed one by one, each with what was there before the turn. Which of
 * them came first is known here: an item of a list is asked for after the one before it.
 */
export class OpenTurns {
  readonly #sessions = new Map<string, OpenTurn>();
  readonly #mostCalls: number;

  constructor(mostCalls: number) {
    this.#mostCalls = mostCalls;
  }

  momentOf({ session, intent, calls }: Situation, call: SessionCall): Moment {
    const open = kept(
      this.#sessions,
      session,
      () => ({ turn: call.turn, calls: [] }),
      MOST_SESSIONS,
    );
    if (open.turn !== call.turn) {
      open.turn = call.turn;
      open.calls = [];
    }
    const before = calls.filter(({ turn }) => turn !== call.turn).slice(-this.#mostCalls);
    const moment = { intent, calls: [...before, ...open.calls] };
    open.calls.push(call);
    return moment;
  }
}
