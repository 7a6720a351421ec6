/** Made-up predictions whose truth is known, to see what thresholds and episodes make of them. */
import type { ToolId } from '../../src/core/index.js';
import { seededRandom } from './seeded-random.js';

/** A moment in which a client is about to call, with what was foreseen for it. */
export interface ForeseenMoment {
  /** Moments of one request; together one piece of evidence. */
  readonly group: string;
  readonly atMs: number;
  readonly client: string;
  readonly intent: string;
  readonly last: readonly ToolId[];
  readonly predicted: ToolId;
  readonly claimed: number;
  /** Exactly that call came. */
  readonly isExact: boolean;
  /** What the call takes. */
  readonly callMs: number;
}

interface Drawn {
  readonly tool: string;
  readonly last: string;
  readonly claimed: number;
  readonly chance: number;
}

/** What is foreseen at a moment, given how far the scenario is, from 0 to 1. */
type Scenario = (random: () => number, progress: number) => Drawn;

const plainly = (claimed: number, chance: number): Drawn => ({
  tool: 'files:read',
  last: 'files:list',
  claimed,
  chance,
});

const NOUNS = 'invoice report ticket order customer release commit branch calendar mail'.split(' ');
const REQUESTS = 120;
const MOMENTS = 20;
const CALL_MS = 800;
/** A session's turns are this far apart, and sessions an hour. */
const TURN_MS = 12_000;
const SESSION_MS = 3_600_000;

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'says what it knows': (random) => {
    const claimed = 0.4 + 0.6 * random();
    return plainly(claimed, claimed);
  },
  'too modest: claims 0.75 to 0.9, right 93 %': (random) => plainly(0.75 + 0.15 * random(), 0.93),
  'boastful: claims 0.9 to 1, right 55 %': (random) => plainly(0.9 + 0.1 * random(), 0.55),
  'right after one tool, wrong after another': (random) => {
    const isGood = random() < 0.5;
    const last = isGood ? 'files:list' : 'files:stat';
    return { ...plainly(0.85 + 0.1 * random(), isGood ? 0.96 : 0.3), last };
  },
  'lists right, searches wrong': (random) => {
    const isList = random() < 0.5;
    const tool = isList ? 'files:list_folder' : 'web:search_pages';
    return { ...plainly(0.9 + 0.1 * random(), isList ? 0.95 : 0.2), tool };
  },
  'right, then wrong, then right again': (random, progress) =>
    plainly(0.9 + 0.1 * random(), progress > 1 / 3 && progress < 2 / 3 ? 0.3 : 0.95),
};

export function madeMoments(scenario: Scenario, seed: number): readonly ForeseenMoment[] {
  const random = seededRandom(seed);
  return Array.from({ length: REQUESTS }, (_, request) => {
    const intent = `show ${pick(NOUNS, random)} ${pick(NOUNS, random)} ${request}`;
    return Array.from({ length: MOMENTS }, (__, moment): ForeseenMoment => {
      const place = request * MOMENTS + moment;
      const drawn = scenario(random, place / (REQUESTS * MOMENTS));
      return {
        group: `${seed} ${request}`,
        atMs: request * SESSION_MS + moment * TURN_MS,
        client: 'made-up',
        intent,
        last: [drawn.last as ToolId],
        predicted: drawn.tool as ToolId,
        claimed: drawn.claimed,
        isExact: random() < drawn.chance,
        callMs: CALL_MS,
      };
    });
  }).flat();
}

function pick(words: readonly string[], random: () => number): string {
  return words[Math.floor(random() * words.length)]!;
}
