import { type Bridge, makeBridge, type GuestProgress } from './bridge.js';
import { makeConsole } from './console.js';
import { makeErrorDescription } from './describe-error.js';
import { installGlobals } from './globals.js';
import { makeInspect } from './inspect.js';
import { installIntl } from './intl.js';
import { installJsonForms } from './json-forms.js';
import { makeOperations } from './operations.js';
import { type Beginning, capturePrimordials, type Way } from './primordials.js';
import { makePromises } from './promises.js';
import { makeRandom } from './random.js';
import { makeTimers } from './timers.js';
import { installSearchParams } from './url.js';

/** The parts by the names the assembly below knows them by. */
const PARTS = {
  capturePrimordials,
  makeErrorDescription,
  makeTimers,
  makePromises,
  makeBridge,
  makeInspect,
  makeConsole,
  makeRandom,
  makeOperations,
  installJsonForms,
  installGlobals,
  installIntl,
  installSearchParams,
};

/** What the process around the guest holds of it; no script can reach any of this. */
export interface GuestDoor extends Pick<Bridge, 'next' | 'fail'> {
  begin(beginning: Beginning, args: unknown): void;
  run(main: () => Promise<unknown>): void;
  /** The first thing that follows from it is done with it; `next` does the rest. */
  reply(id: number, isOk: boolean, value: unknown, now: number): GuestProgress;
  tick(now: number): GuestProgress;
}

/** Runs in the guest, before any script. */
function assemble(parts: typeof PARTS, way: Way): GuestDoor {
  const p = parts.capturePrimordials();
  const describeError = parts.makeErrorDescription(p);
  const promises = parts.makePromises(p);
  const { makeTimers } = parts;
  const bridge = parts.makeBridge(p, way, { makeTimers, describeError, promises });
  const output = parts.makeConsole(p, way, parts.makeInspect(p));
  const chance = parts.makeRandom(p);
  const operations = parts.makeOperations(p, way, bridge.callsMade);
  let startedAt = 0;
  const now = Date.now;
  const performance = p.freeze({
    __proto__: null,
    now: () => now() - startedAt,
    get timeOrigin() {
      return startedAt;
    },
    mark: () => {},
    measure: () => {},
  });

  parts.installJsonForms(p);
  parts.installIntl(p);
  parts.installSearchParams(p);
  Math.random = chance.random;
  parts.installGlobals(
    p,
    { ...bridge.globals, console: output.console, __op: operations.operate },
    { ...bridge.timers, crypto: chance.crypto, performance },
  );
  return {
    begin(beginning, args) {
      startedAt = beginning.now;
      bridge.begin(beginning);
      output.begin(beginning);
      chance.begin(beginning);
      parts.installGlobals(p, {}, { args });
    },
    run(main) {
      const fail = (error: unknown): void => {
        operations.tell();
        bridge.fail(error);
      };
      const returned = (text: unknown): void => {
        operations.tell();
        bridge.returned(text);
      };
      const follow = async () => {
        try {
          promises.follow(await p.apply(main, undefined, []), returned, fail);
        } catch (error) {
          fail(error);
        }
      };
      void follow();
    },
    reply(id, isOk, value, at) {
      bridge.reply(id, isOk, value, at);
      return bridge.next();
    },
    tick(at) {
      bridge.tick(at);
      return bridge.next();
    },
    next() {
      const progress = bridge.next();
      if (progress !== 0) operations.tell();
      return progress;
    },
    fail: bridge.fail,
  };
}

/** The text that makes a guest: a function of its way out that gives its door. */
export function preludeText(): string {
  const parts = Object.entries(PARTS).map(([name, part]) => `${name}: ${String(part)}`);
  return `(function (way) { 'use strict';\nreturn (${String(assemble)})({${parts.join(',\n')}}, way);\n})`;
}
