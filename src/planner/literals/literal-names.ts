import type { FoundLiteral } from './literal.js';

/** A word that begins with a capital, or has nothing else: `Los`, `O'Neill`, `AAPL`, `WeChat`. */
const WORD = /\p{L}[\p{L}\p{M}\p{N}'’&-]{0,60}/gu;
const CAPITAL = /^\p{Lu}/u;
const POSSESSIVE = /['’]s$/u;
/** Stand between the words of one name. */
const LINKS = new Set('of de da del di van von der la le du al bin'.split(' '));
const MONTHS_AND_DAYS =
  /^(?:january|february|march|april|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)$/;

/** Begin sentences, and are capital for no other reason; some are so always. */
const NO_NAMES = new Set(
  `api csv id ids json pdf sql url a about add after all also am an analyze and any approve are as ask assess at be before book both but buy by
calculate call can cancel change check close collect compare compose compute confirm convert copy could
create decide delete describe determine did do does download draft each edit email ensure estimate explain
export extract fetch fill find finally first fix following for from generate get give go has have he hello help
here hey hi his how however i i'd i'll i'm i've identify if import in include inform insert inspect is it it's
its join just keep let let's list locate log look mail make many mark may me merge message monitor move my
need next no not now obtain of on once one only open or order our out paste pay perform pick plan play
please post prepare print provide pull push put query read recommend record remind remove rename reply report
request reschedule reserve retrieve return review run save say schedule search second see select send set
share she should show since so some sort start stop store submit subscribe suggest summarize sync tell thank
thanks that the their them then there these they third this those to track transfer translate turn under
update upload us use using validate verify view visit want was we we're we've were what what's when where
whether which while who whose why will with within without would write yes you you're your`.split(
    /\s+/,
  ),
);

/** Runs of words that begin with capitals, as names do, where no other literal stands. */
export function* readNames(
  intent: string,
  isFree: (start: number, end: number) => boolean,
): Generator<FoundLiteral> {
  let run: Run | undefined;
  for (const { 0: word, index } of intent.matchAll(WORD)) {
    const end = index + word.length;
    const between = run ? intent.slice(run.reach, index) : '';
    const goesOn = run && /^[ \u00A0]{1,2}(?:&[ ])?$/u.test(between);
    const isCapital = CAPITAL.test(word) && isFree(index, end) && !isNoName(word);
    if (run && !goesOn) {
      yield* named(run, intent);
      run = undefined;
    }
    if (isCapital) {
      run ??= new Run(index);
      run.extend(word, end);
      // Who owns something is named to the end.
      if (POSSESSIVE.test(word)) {
        yield* named(run, intent);
        run = undefined;
      }
    } else if (run) {
      if (LINKS.has(word) && isFree(index, end) && run.canLink) run.link(end);
      else {
        yield* named(run, intent);
        run = undefined;
      }
    }
  }
  if (run) yield* named(run, intent);
}

/** A lone word at the beginning of a sentence is a name by its capital only if it has more of them. */
function* named(run: Run, intent: string): Generator<FoundLiteral> {
  const found = run.found(intent);
  const isLone = /^\p{Lu}[^\s\p{Lu}]*$/u.test(found.text);
  const before = intent.slice(Math.max(0, found.start - 3), found.start);
  if (!isLone || !/(?:^|[.!?:\n]["'”’)]?\s*)$/u.test(before)) yield found;
}

function isNoName(word: string): boolean {
  const lower = word.toLowerCase().replace(/’/u, "'");
  if (MONTHS_AND_DAYS.test(lower)) return true;
  return NO_NAMES.has(lower) && word !== 'US' && word !== 'IT';
}

class Run {
  readonly start: number;
  /** Behind its last word with a capital. */
  #end: number;
  /** Behind whatever may belong to it. */
  reach: number;
  #links = 0;

  constructor(start: number) {
    this.start = start;
    this.#end = start;
    this.reach = start;
  }

  get canLink(): boolean {
    return this.#links < 1;
  }

  extend(word: string, end: number): void {
    this.#end = POSSESSIVE.test(word) ? end - 2 : end;
    this.reach = end;
    this.#links = 0;
  }

  link(end: number): void {
    this.reach = end;
    this.#links += 1;
  }

  found(intent: string): FoundLiteral {
    const text = intent.slice(this.start, this.#end);
    return { kind: 'name', value: text, text, start: this.start, end: this.#end };
  }
}
