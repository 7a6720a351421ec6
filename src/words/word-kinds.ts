/**
 * What a value is, as far as words tell: a `gross_salary` can be the `amount` of something, `lyrics`
 * the `text`, though their names share nothing.
 */
const WORDS_OF: Readonly<Record<string, string>> = {
  money:
    'amount price salary total sum value payment tax cost interest balance fee discount revenue sale profit budget income principal tip bill gross net earning pay wage fare',
  number:
    'number value area volume average mean median result square factorial prime score distance weight height length width radius count quantity percentage rate ratio bmi gpa age calculation temperature duration speed',
  text: 'text lyric translation summary message body sentence paragraph headline quote review transcript word article note description comment news caption joke fact story recipe definition statement string data',
  location:
    'location city country region address state area origin destination airport geo latitude longitude coordinate zip postcode town venue',
  moment: 'date time day month year timestamp start end deadline datetime schedule due',
  person: 'people user name customer contact guest member employee author writer artist',
  reference: 'id url key token ref reference number code',
  search: 'query keyword term topic name title phrase word category',
  picture: 'image thumbnail avatar poster logo qr',
  sound: 'audio voice speech sound song music',
  film: 'video movie clip',
  file: 'file path folder document attachment filename pdf',
  company: 'company ticker symbol stock business organization brand',
};

/** One bit a kind, so that comparing two sets is one operation. */
const KINDS = new Map<string, number>();
Object.values(WORDS_OF).forEach((words, place) => {
  for (const word of words.split(' ')) KINDS.set(word, (KINDS.get(word) ?? 0) | (1 << place));
});

/** The kinds these words speak of, as bits. */
export function kindsOf(words: Iterable<string>): number {
  let kinds = 0;
  for (const word of words) kinds |= KINDS.get(word) ?? 0;
  return kinds;
}
