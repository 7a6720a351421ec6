import { nameParts, parseToolId, type ToolId } from '../../core/index.js';
import {
  ASKS_ONLY_TO_KNOW,
  ASKS_TO_KNOW,
  BEFORE_QUESTION,
  BEFORE_TARGET,
  BEFORE_VERB,
  changeWord,
  REFUSAL_ENDS,
  REFUSALS,
  REFUSED_OBJECTS,
  tokenize,
} from '../../words/index.js';
import { findLiterals } from '../literals/intent-literals.js';
import type { Literal } from '../literals/literal.js';

const MAY_REFUSE = new RegExp(`(?:^|[^\\p{L}])(?:${[...REFUSALS].join('|')})(?![\\p{L}])`, 'iu');
const WORD = /[\p{L}\p{N}'’-]+|[.,;:!?\n]/gu;
const MARK = /^[.,;:!?\n]$/;

/** The kinds of change that a request asks for. */
export interface AskedChanges {
  /** Kinds that a verb asks for, without another reading. */
  readonly clear: ReadonlySet<string>;
  /** Kinds that a noun may ask for, too: "a note about the weather". */
  readonly possible: ReadonlySet<string>;
  /** Kinds that the request forbids: "do not send it". */
  readonly refused: ReadonlySet<string>;
}

/** A cache: PML reads the examples of a capability again with every request. */
const known = new Map<string, AskedChanges>();
const MOST_KNOWN = 2_000;
/** Text beyond this length is a document, not a request. */
const MOST_CHARACTERS = 4_000;

/** The changes that a request asks for. Quoted texts, paths and addresses do not count. */
export function changesAskedBy(request: string): AskedChanges {
  const before = known.get(request);
  if (before) return before;
  if (known.size >= MOST_KNOWN) known.clear();
  const asked = readChanges(request.slice(0, MOST_CHARACTERS));
  known.set(request, asked);
  return asked;
}

function readChanges(request: string): AskedChanges {
  const clear = new Set<string>();
  const possible = new Set<string>();
  const refused = new Set<string>();
  const literals = findLiterals(request);
  // "Weather of Vienna into /tmp/v.txt" has no verb, but asks for a file.
  if (
    literals.some(({ kind, before: [lead = ''] }) => kind === 'path' && BEFORE_TARGET.has(lead))
  ) {
    possible.add('write');
  }
  let before = '.';
  let asksToKnow = false;
  let isRefused = false;
  let takeBack: (() => void) | undefined;
  for (const [word] of withoutValues(request, literals).toLowerCase().matchAll(WORD)) {
    const isFirst = MARK.test(before);
    const isMark = MARK.test(word);
    if (isFirst && !isMark) asksToKnow = ASKS_TO_KNOW.has(uncontracted(word));
    if (isMark || REFUSAL_ENDS.has(word)) isRefused = false;
    else if (REFUSALS.has(word)) isRefused = true;
    const isVerb = isFirst || BEFORE_VERB.has(before);
    // `not` has the same stem as `note`.
    const change = isMark || REFUSALS.has(word) ? undefined : changeWord(word);
    // "Save nothing" refuses what the word before asks for.
    if (REFUSED_OBJECTS.has(word)) takeBack?.();
    takeBack = undefined;
    if (change && isRefused) refused.add(change.kind);
    else if (change) {
      const { kind, as } = change;
      const isNew = !clear.has(kind) && !possible.has(kind);
      takeBack = () => {
        if (!isNew) return;
        clear.delete(kind);
        refused.add(kind);
      };
      if (as === 'verb' || (isVerb && as === 'noun')) clear.add(kind);
      if (clear.has(kind) || !asksToKnow || isVerb) possible.add(kind);
    }
    before = word;
  }
  // "Do not send it, only draft a mail" still contains the word mail.
  for (const kind of refused) {
    if (clear.has(kind)) refused.delete(kind);
    else possible.delete(kind);
  }
  return { clear, possible, refused };
}

interface Part {
  readonly start: number;
  readonly end: number;
}

/**
 * The parts of a request that speak of a change it refuses, each from the refusing word to the end of
 * what that refuses. A word that may be a noun counts only where a verb stands.
 */
export function refusedParts(request: string, literals: readonly Literal[]): readonly Part[] {
  const text = request.slice(0, MOST_CHARACTERS);
  if (!MAY_REFUSE.test(text)) return [];
  const parts: Part[] = [];
  let start: number | undefined;
  let isChange = false;
  let before = '';
  const end = (at: number) => {
    if (start !== undefined && isChange) parts.push({ start, end: at });
    start = undefined;
    isChange = false;
  };
  for (const { 0: token, index } of withoutValues(text, literals).matchAll(WORD)) {
    const word = token.toLowerCase();
    const isNextStep = (before === 'and' || before === 'then') && ASKS_TO_KNOW.has(word);
    if (MARK.test(word) || REFUSAL_ENDS.has(word) || isNextStep) end(index);
    else if (REFUSALS.has(word)) start ??= index;
    else if (start !== undefined) {
      const isVerb = REFUSALS.has(before) || BEFORE_VERB.has(before);
      const change = changeWord(word);
      isChange ||= change !== undefined && (change.as === 'verb' || isVerb);
    }
    before = word;
  }
  end(request.length);
  return parts;
}

/** The kinds of change that the name of a tool announces. */
export function changesNamedBy(tool: ToolId): ReadonlySet<string> {
  const changes = nameParts(parseToolId(tool).tool).map(changeWord);
  const named = changes.filter((one, place) => one && (place === 0 || one.as === 'verb'));
  return new Set(named.flatMap((one) => one?.kind ?? []));
}

/** Whether a request forbids every change that a tool makes. */
export function isRefused(request: string, tool: ToolId): boolean {
  const kinds = [...changesNamedBy(tool)];
  const { refused } = changesAskedBy(request);
  return kinds.length > 0 && kinds.every((kind) => refused.has(kind));
}

/** Whether a request only asks for information. */
export function isQuestion(request: string): boolean {
  const words = request.toLowerCase().match(WORD) ?? [];
  const [first = '', second = ''] = words.slice(
    words.findIndex((one) => !BEFORE_QUESTION.has(one)),
  );
  // "Do not send it" is an order.
  const isOrder = REFUSALS.has(second) && !request.trim().endsWith('?');
  const isAsked = ASKS_ONLY_TO_KNOW.has(uncontracted(first)) || request.trim().endsWith('?');
  return isAsked && !isOrder && changesAskedBy(request).possible.size === 0;
}

/** "What's" asks like "what is". */
function uncontracted(word: string): string {
  return word.replace(/['’](?:s|re|d|ll)$/, '');
}

/** Whether a request names the change of a tool or, if the tool changes nothing, its result. */
export function asksFor(request: string, tool: ToolId): boolean {
  const kinds = [...changesNamedBy(tool)];
  const { possible } = changesAskedBy(request);
  if (kinds.length > 0) return kinds.some((kind) => possible.has(kind));
  const words = new Set(tokenize(request));
  return tokenize(parseToolId(tool).tool).some((word) => words.has(word));
}

function withoutValues(request: string, literals: readonly Literal[]): string {
  let plain = request;
  for (const { kind, start, end } of literals) {
    if (kind === 'name') continue;
    plain = plain.slice(0, start) + ' '.repeat(end - start) + plain.slice(end);
  }
  return plain;
}
