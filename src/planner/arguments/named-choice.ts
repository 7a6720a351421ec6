import type { JsonValue } from '../../core/index.js';
import type { ToolParameter } from '../../schema/index.js';
import { nameWords } from '../../words/index.js';
import type { ParameterWants } from './parameter-wants.js';

export interface NamedChoice {
  readonly value: JsonValue;
  readonly score: number;
  readonly because: string;
}

/** Say too little to be meant by chance of standing in a sentence. */
const VAGUE = new Set(
  'best high low long short all any none auto default on off in to from by and or is it at as yes no true false other new top get one first last day today time'.split(
    ' ',
  ),
);
const MOST_CHOICES = 300;
const NEAR = 3;

/** The one of a parameter's fixed values that the request names. */
export function namedChoice(
  { parameter, words: own }: ParameterWants,
  request: readonly string[],
  toolWords: readonly string[],
): NamedChoice | undefined {
  const fixed = parameter.choices.filter((choice) => typeof choice === 'string');
  const choices = fixed.length > 0 ? fixed : describedChoices(parameter);
  if (choices.length < 2) return undefined;
  const named = choices.slice(0, MOST_CHOICES).flatMap((choice) => {
    const words = nameWords(choice);
    const places = words.length === 0 ? [] : placesOf(words, request);
    return places.length === 0 ? [] : [{ choice, words, places }];
  });
  // `in progress` is not also `progress`.
  const longest = named.filter(
    (one) => !named.some((other) => other !== one && isPartOf(one.words, other.words)),
  );
  const near = longest.filter(({ words, places }) =>
    places.some((place) => isBeside(place, words.length, { own, request })),
  );
  const [only] = near.length === 1 ? near : longest;
  if (!only || (near.length !== 1 && longest.length !== 1)) return undefined;
  const isNear = near.length === 1;
  const isVague = only.words.every((word) => VAGUE.has(word) || word.length < 3);
  // What the tool itself is called after is in the request for the tool's sake.
  const isOfTool = only.words.every((word) => toolWords.includes(word));
  if (isVague && !isNear) return undefined;
  const score = isNear ? 0.9 : isOfTool ? 0.45 : 0.75;
  return { value: only.choice, score, because: `the request names \`${only.choice}\`` };
}

const ONE_OF = /\b(?:either|one of|should be|must be|options?|allowed|possible)\b/i;
const QUOTED = /['"`‘“]([^'"`’”\n]{2,40})['"`’”]/gu;

/** Choices that stand in the description instead of the schema. */
function describedChoices({ description, types }: ToolParameter): readonly string[] {
  if (!types.includes('string') || !ONE_OF.test(description)) return [];
  const from = description.slice(description.search(ONE_OF), 2_000);
  return [...new Set([...from.matchAll(QUOTED)].map(([, choice = '']) => choice))];
}

function placesOf(words: readonly string[], request: readonly string[]): readonly number[] {
  const places: number[] = [];
  for (let at = request.indexOf(words[0]!); at >= 0; at = request.indexOf(words[0]!, at + 1)) {
    if (words.every((word, index) => request[at + index] === word)) places.push(at);
  }
  return places;
}

function isPartOf(words: readonly string[], others: readonly string[]): boolean {
  return words.length < others.length && words.every((word) => others.includes(word));
}

function isBeside(
  place: number,
  length: number,
  { own, request }: { readonly own: readonly string[]; readonly request: readonly string[] },
): boolean {
  const around = [
    ...request.slice(Math.max(0, place - NEAR), place),
    ...request.slice(place + length, place + length + 1),
  ];
  return around.some((word) => own.includes(word) && !VAGUE.has(word));
}
