import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { findLiterals } from './intent-literals.js';

const found = (intent: string, today?: string) =>
  findLiterals(intent, today === undefined ? {} : { today }).map(({ kind, value }) => [
    kind,
    value,
  ]);

describe('kinds', () => {
  test.each<[string, readonly (readonly [string, string | number])[]]>([
    [
      'Copy ~/notes/todo.md to ./out and report.pdf',
      [
        ['path', '~/notes/todo.md'],
        ['path', './out'],
        ['path', 'report.pdf'],
      ],
    ],
    ['open C:\\Users\\ann\\a.txt', [['path', 'C:\\Users\\ann\\a.txt']]],
    [
      'see https://a.dev/x?y=1, and www.b.org.',
      [
        ['url', 'https://a.dev/x?y=1'],
        ['url', 'www.b.org'],
      ],
    ],
    ['mail ann.lee+x@mail.acme.io (soon)', [['email', 'ann.lee+x@mail.acme.io']]],
    ['issues of acme/web-site, and/or docs', [['repository', 'acme/web-site']]],
    [
      'post in #general to @bob',
      [
        ['channel', '#general'],
        ['handle', '@bob'],
      ],
    ],
    [
      'close #42 and PROJ-123',
      [
        ['id', '#42'],
        ['id', 'PROJ-123'],
      ],
    ],
    [
      'order #W2378156 of mei_kovacs_8020',
      [
        ['id', '#W2378156'],
        ['id', 'mei_kovacs_8020'],
      ],
    ],
    [
      'upgrade to v1.2 from 1.2.3-beta',
      [
        ['version', 'v1.2'],
        ['version', '1.2.3-beta'],
      ],
    ],
    [
      'from Europe/Berlin to UTC',
      [
        ['timezone', 'Europe/Berlin'],
        ['timezone', 'UTC'],
      ],
    ],
    [
      'at 47.8021,-121.5284',
      [
        ['number', 47.8021],
        ['number', -121.5284],
      ],
    ],
    [
      'ticket 310110198501235678 of code 00123',
      [
        ['id', '310110198501235678'],
        ['id', '00123'],
      ],
    ],
    [
      'run `select 1` and "say `it`"',
      [
        ['code', 'select 1'],
        ['quoted', 'say `it`'],
      ],
    ],
    [
      'with limit=10, mode=fast',
      [
        ['number', 10],
        ['text', 'fast'],
      ],
    ],
    ['is example.com up?', [['domain', 'example.com']]],
    [
      'weather in San Francisco and Los Angeles',
      [
        ['name', 'San Francisco'],
        ['name', 'Los Angeles'],
      ],
    ],
    [
      "Show Bob's orders. Find Bank of England.",
      [
        ['name', 'Bob'],
        ['name', 'Bank of England'],
      ],
    ],
    ['天气 in 東京 für Köln', [['name', 'Köln']]],
    ['hotels in New York', [['name', 'New York']]],
    ['Tell me a story', []],
  ])('findLiterals finds the literals and kinds of: %s', (intent, literals) => {
    expect(found(intent)).toEqual(literals);
  });

  test('findLiterals gives numbers their unit and quoted texts the kind they look like', () => {
    const [money, distance, days] = findLiterals('$1,200.50 for 5km in three days');
    const [path] = findLiterals('open "/home/ann/My Files/a.txt"');

    expect([money?.value, money?.unit]).toEqual([1200.5, 'usd']);
    expect([distance?.value, distance?.unit]).toEqual([5, 'km']);
    expect([days?.value, days?.unit]).toEqual([3, 'days']);
    expect([path?.kind, path?.looks]).toEqual(['quoted', 'path']);
  });
});

describe('dates and times', () => {
  test('a date or time with one reading becomes ISO', () => {
    expect(found('on October 5, 2024')).toEqual([['date', '2024-10-05']]);
    expect(found('on July 19,2024')).toEqual([['date', '2024-07-19']]);
    expect(found('the 5th of October 2024')).toEqual([['date', '2024-10-05']]);
    expect(found('on 25/4/2024')).toEqual([['date', '2024-04-25']]);
    expect(found('at 2024-10-05T10:00:00Z')).toEqual([['datetime', '2024-10-05T10:00:00Z']]);
    expect(found('at 2:30 pm or 12 am or 14:05')).toEqual([
      ['time', '14:30'],
      ['time', '00:00'],
      ['time', '14:05'],
    ]);
    expect(found('tomorrow', '2026-12-31')).toEqual([['date', '2027-01-01']]);
  });

  test('a date with several readings or none stays as written', () => {
    for (const intent of ['5/4/2024', 'October 5', 'tomorrow', 'next Monday', '2024-02-30']) {
      const [literal, ...more] = findLiterals(intent);
      expect(literal).toMatchObject({ kind: 'date', value: intent, isExact: false });
      expect(more).toEqual([]);
    }
  });
});

describe('surroundings', () => {
  test('the surroundings of a literal are the nearest words of its sentence', () => {
    const [, literal] = findLiterals('Ask Bob. Send it to the channel #general now, please. Bye');

    expect(literal?.before).toEqual(['channel', 'the', 'to', 'it']);
    expect(literal?.after).toEqual(['now', 'please']);
  });

  test('the surroundings of a labelled literal begin with its label', () => {
    const [literal] = findLiterals('search with max_results=10');

    expect(literal).toMatchObject({ label: 'max_results', value: 10 });
    expect(literal?.before.slice(0, 2)).toEqual(['result', 'max']);
  });
});

describe('always', () => {
  test('findLiterals finds every quoted text unchanged', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((one) => {
      return one.trim() !== '' && !/["'`“”„‘’«»‹›「」『』]/u.test(one);
    });
    const marks = fc.constantFrom('""', "''", '“”', '„“', '‘’', '«»', '「」', '``');
    fc.assert(
      fc.property(fc.array(fc.tuple(text, marks), { maxLength: 4 }), (texts) => {
        const intent = texts
          .map(([one, [open, close]]) => `say ${open}${one}${close} and`)
          .join(' ');
        const quotes = findLiterals(intent).filter(
          ({ kind }) => kind === 'quoted' || kind === 'code',
        );
        expect(quotes.map((literal) => literal.text)).toEqual(texts.map(([one]) => one));
      }),
    );
  });

  test('findLiterals returns literals in order, without overlap, with correct positions', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        'Ann Lee',
        'a@b.co',
        '/x/y',
        '"',
        "'",
        '`',
        '5 km',
        '1/2/2020',
        'x=1',
        '#a',
        ' ',
      ),
    );
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const intent = parts.join('');
        let reached = 0;
        for (const { start, end, text } of findLiterals(intent)) {
          expect(start).toBeGreaterThanOrEqual(reached);
          expect(intent.slice(start, end)).toContain(text);
          reached = end;
        }
        expect(findLiterals(intent)).toEqual(findLiterals(intent));
      }),
    );
  });

  test.each([
    '"',
    "'",
    "'a ",
    '`',
    '“',
    'a',
    '1',
    '1,',
    '1.',
    'a.',
    'a/',
    '#',
    '@',
    'a@',
    'A ',
    'A of ',
    '-',
    '/',
    '${',
    'x=',
    'May 1 ',
    '1:',
    '12 ',
    '\u{1F600}',
    ' \n',
    'a_',
    'a-1-',
  ])('findLiterals takes linear time for a long request of %j', (unit) => {
    const msOf = (length: number) => {
      const intent = unit.repeat(length / unit.length);
      const began = process.cpuUsage();
      findLiterals(intent);
      return process.cpuUsage(began).user / 1_000;
    };
    // Own CPU time and the best of several tries: other processes use the same machine.
    const bestMs = (length: number) => Math.min(...[1, 2, 3].map(() => msOf(length)));

    // Quadratic work would take a hundred times as long.
    expect(bestMs(100_000)).toBeLessThan(40 * Math.max(bestMs(10_000), 5));
  });
});

test('a date word inside a URL or a path is not a separate literal', () => {
  const literals = findLiterals('Fetch https://x.io/today into /cache/today.html until tomorrow', {
    today: '2026-03-14',
  });

  expect(literals.map(({ kind, text }) => [kind, text])).toEqual([
    ['url', 'https://x.io/today'],
    ['path', '/cache/today.html'],
    ['date', 'tomorrow'],
  ]);
});

test('a quoted pattern of names looks like code', () => {
  expect(findLiterals('all "*.test.ts", not "a * b"').map(({ looks }) => looks)).toEqual([
    'code',
    undefined,
  ]);
});
