import { describe, expect, test } from 'vitest';

import { liftedText } from '../../../test/helpers/of-text.js';
import { nameFromIntent } from './name-from-intent.js';
import { findSecret } from './secret-text.js';

describe('data of a task', () => {
  test('lifted literals become parameters named after the field or variable they fill', () => {
    const { code, defaults, parameters } = liftedText(
      "const repo = 'acme/site';\nconst r = await mcp.git.clone({ repo, depth: 1, quiet: true, paths: ['a', 'b'] });\nreturn r.files.slice(0, 5)",
    );

    expect(code).toBe(
      'const repo = args.repo;\nconst r = await mcp.git.clone({ repo, depth: args.depth, quiet: args.quiet, paths: args.paths });\nreturn r.files.slice(0, 5)',
    );
    expect(defaults).toEqual({ repo: 'acme/site', depth: 1, quiet: true, paths: ['a', 'b'] });
    expect(parameters).toEqual({
      type: 'object',
      properties: {
        repo: { type: 'string', default: 'acme/site' },
        depth: { type: 'integer', default: 1 },
        quiet: { type: 'boolean', default: true },
        paths: { type: 'array', items: { type: 'string' }, default: ['a', 'b'] },
      },
    });
  });

  test('equal values share one parameter name and different values get different names', () => {
    const { code } = liftedText(
      "mcp.files.read({ path: 'a' }); mcp.files.write({ path: 'b', text: args.text }); mcp.files.stat({ path: 'a' }); mcp.files.write({ path: 'c' }); mcp.files.write({ path: 'd' })",
    );

    expect(code).toBe(
      'mcp.files.read({ path: args.path }); mcp.files.write({ path: args.writePath, text: args.text }); mcp.files.stat({ path: args.path }); mcp.files.write({ path: args.path2 }); mcp.files.write({ path: args.path3 })',
    );
  });

  test.each([
    ['numbers of operations', 'const a = await mcp.a.b(); a.slice(0, 3)'],
    ['conditions', "if (args.x === 'y') mcp.a.b()"],
    ['names of fields', 'const a = await mcp.a.b(); a["c"]'],
    ['lists that are changed', 'const l = []; l.push(1); mcp.a.b({ l })'],
    ['variables that change', "let a = 'x'; a += 'y'; mcp.a.b({ a })"],
    ['defaults of parameters', "mcp.a.b({ c: args.c ?? 'd' })"],
    ['what functions change', "const f = (p) => { p += 'x'; return mcp.a.b({ p }) }; f('y')"],
    [
      'what functions keep',
      "const f = (p, q) => { log(q); return mcp.a.b({ p }) }; f(args.p, 'y')",
    ],
    ['lists given to functions', 'const f = (l) => { l.push(1); return mcp.a.b({ l }) }; f([2])'],
    ['what comes after a spread', "const f = (p, q) => mcp.a.b({ q }); f(...args.list, 'y')"],
    ['functions that change', "let f = (p) => mcp.a.b({ p }); f = log; f('y')"],
    [
      'lists for other purposes',
      "const l = ['a']; const r = await mcp.a.b(); r.filter((x) => l.includes(x))",
    ],
  ])('lifting leaves literals in place: %s', (_what, text) => {
    expect(liftedText(text)).toMatchObject({ code: text, defaults: {} });
  });

  test.each([
    [
      "const get = (r) => mcp.git.get({ repo: r, owner: 'acme' }); const repo = 'x'; get(repo); get('y')",
      'const get = (r) => mcp.git.get({ repo: r, owner: args.owner }); const repo = args.repo; get(repo); get(args.getRepo)',
      { owner: 'acme', repo: 'x', getRepo: 'y' },
    ],
    [
      'async function page(number, size = 5) { return mcp.s.list({ page: number, size }) }\npage(1); page(2, 9)',
      'async function page(number, size = args.size) { return mcp.s.list({ page: number, size }) }\npage(args.number); page(args.page, args.listSize)',
      { number: 1, page: 2, size: 5, listSize: 9 },
    ],
    [
      "const find = ({ city, limit: n }) => mcp.db.find({ city, n }); find({ city: 'Rome', limit: 3 })",
      'const find = ({ city, limit: n }) => mcp.db.find({ city, n }); find({ city: args.city, limit: args.n })',
      { city: 'Rome', n: 3 },
    ],
    [
      "const inner = (t) => mcp.m.send({ to: t }); const outer = (who) => inner(who); outer('Ada')",
      'const inner = (t) => mcp.m.send({ to: t }); const outer = (who) => inner(who); outer(args.who)',
      { who: 'Ada' },
    ],
    [
      "const ids = ['a', 'b']; const get = (id) => mcp.x.get({ id }); ids.map(get); for (const i of ids) get(i)",
      'const ids = args.ids; const get = (id) => mcp.x.get({ id }); ids.map(get); for (const i of ids) get(i)',
      { ids: ['a', 'b'] },
    ],
    [
      "const base = { owner: 'acme', tags: ['x'] }; const all = (q) => mcp.s.list(q); all({ page: 1 }); mcp.s.list({ ...base, page: 2 })",
      "const base = { owner: args.owner, tags: ['x'] }; const all = (q) => mcp.s.list(q); all({ page: args.page }); mcp.s.list({ ...base, page: args.listPage })",
      { owner: 'acme', page: 1, listPage: 2 },
    ],
  ])('lifting follows functions and constants of the script: %s', (text, lifted, defaults) => {
    expect(liftedText(text)).toMatchObject({ code: lifted, defaults });
  });

  test.each([
    [
      'a loop over a list written in it',
      "for (const city of ['Lisbon', 'Porto']) await mcp.travel.weather({ city })",
      'for (const city of args.cities) await mcp.travel.weather({ city })',
      { cities: ['Lisbon', 'Porto'] },
    ],
    [
      'a list whose elements a function gets',
      "return Promise.all(['Lisbon', 'Porto'].map(async (c) => mcp.travel.weather({ city: c })))",
      'return Promise.all(args.cities.map(async (c) => mcp.travel.weather({ city: c })))',
      { cities: ['Lisbon', 'Porto'] },
    ],
    [
      'a list of objects',
      "for (const { city, days } of [{ city: 'Lisbon', days: 2 }, { city: 'Porto', days: 3 }]) await mcp.travel.weather({ city, days })",
      'for (const { city, days } of args.cities) await mcp.travel.weather({ city, days })',
      {
        cities: [
          { city: 'Lisbon', days: 2 },
          { city: 'Porto', days: 3 },
        ],
      },
    ],
    [
      'objects of which fields are read',
      "const trips = [{ to: 'Lisbon', n: 2 }]; trips.forEach((trip) => mcp.travel.weather({ city: trip.to, days: trip.n }))",
      'const trips = args.trips; trips.forEach((trip) => mcp.travel.weather({ city: trip.to, days: trip.n }))',
      { trips: [{ to: 'Lisbon', n: 2 }] },
    ],
    [
      'a loop that counts',
      "const cities = ['Lisbon', 'Porto']; for (let i = 0; i < cities.length; i++) await mcp.travel.weather({ city: cities[i] })",
      'const cities = args.cities; for (let i = 0; i < cities.length; i++) await mcp.travel.weather({ city: cities[i] })',
      { cities: ['Lisbon', 'Porto'] },
    ],
    [
      'a list handed to a function',
      "const all = (places) => places.map((p) => mcp.travel.weather({ city: p })); all(['Lisbon', 'Porto'])",
      'const all = (places) => places.map((p) => mcp.travel.weather({ city: p })); all(args.places)',
      { places: ['Lisbon', 'Porto'] },
    ],
    [
      'a list that is also joined and returned',
      "const cities = ['Lisbon', 'Porto']; for (const c of cities) await mcp.travel.weather({ city: c }); await mcp.fs.write({ text: cities.join() }); return { cities }",
      'const cities = args.cities; for (const c of cities) await mcp.travel.weather({ city: c }); await mcp.fs.write({ text: cities.join() }); return { cities }',
      { cities: ['Lisbon', 'Porto'] },
    ],
    [
      'a field of a constant',
      "const trip = { city: 'Lisbon', seen: 0 }; await mcp.travel.weather({ city: trip.city })",
      'const trip = { city: args.city, seen: 0 }; await mcp.travel.weather({ city: trip.city })',
      { city: 'Lisbon' },
    ],
    [
      'what a function makes of it',
      "const about = (city) => ({ city, unit: 'K' }); await mcp.travel.weather(about('Lisbon'))",
      'const about = (city) => ({ city, unit: args.unit }); await mcp.travel.weather(about(args.city))',
      { unit: 'K', city: 'Lisbon' },
    ],
  ])('lifting finds a literal in %s', (_where, text, lifted, defaults) => {
    expect(liftedText(text)).toMatchObject({ code: lifted, defaults });
  });

  test.each([
    "const l = ['Lisbon']; l.push('Porto'); for (const city of l) mcp.travel.weather({ city })",
    "for (const trip of [{ city: 'Lisbon' }]) { trip.city += '!'; mcp.travel.weather({ city: trip.city }) }",
    "['Lisbon'].forEach((city, at, all) => { all.push(city); mcp.travel.weather({ city }) })",
    "const l = ['Lisbon']; grow(l); for (const city of l) mcp.travel.weather({ city })",
  ])('lifting leaves a list in place that the script changes: %s', (text) => {
    expect(liftedText(text)).toMatchObject({ code: text, defaults: {} });
  });

  test('a text that the script repeats, also inside other texts, becomes one parameter', () => {
    const { code, defaults } = liftedText(
      "const c = await mcp.travel.find_city({ name: 'Lisbon' }); const h = await mcp.travel.hotels({ city: 'Lisbon' });\nreturn mcp.fs.write({ path: '/tmp/a.txt', text: `Weather in Lisbon: ${c.w}` + ' of Lisbon\\n' + h.n })",
    );

    expect(code).toBe(
      'const c = await mcp.travel.find_city({ name: args.city }); const h = await mcp.travel.hotels({ city: args.city });\nreturn mcp.fs.write({ path: args.path, text: `Weather in ${args.city}: ${c.w}` + ` of ${args.city}\\n` + h.n })',
    );
    expect(defaults).toEqual({ city: 'Lisbon', path: '/tmp/a.txt' });
  });

  test('the parameter of a lifted list describes its elements', () => {
    const { parameters } = liftedText(
      "for (const city of ['Lisbon', 'Porto']) await mcp.travel.weather({ city });\nfor (const { day, hours } of [{ day: 1, hours: 2.5 }, { day: 2, hours: 3 }]) mcp.log.add({ day, hours })",
      {
        describe: (_tool, name) =>
          name === 'city' ? { type: 'string', description: 'Name of the city' } : undefined,
      },
    );

    expect(parameters['properties']).toEqual({
      cities: {
        type: 'array',
        items: { type: 'string', description: 'Name of the city' },
        default: ['Lisbon', 'Porto'],
      },
      days: {
        type: 'array',
        items: {
          type: 'object',
          properties: { day: { type: 'integer' }, hours: { type: 'number' } },
        },
        default: [
          { day: 1, hours: 2.5 },
          { day: 2, hours: 3 },
        ],
      },
    });
  });

  test('lifted parameters do not collide with the args and variables of the script', () => {
    const { code } = liftedText(
      "mcp.a.b({ n: 1 }); mcp.c.d(args); { const args = { e: 2 }; mcp.e.f({ args, g: 'h' }) }",
    );

    expect(code).toContain('mcp.c.d((({ n: _0, e: _1, g: _2, ...given }) => given)(args))');
    expect(code).toContain('const ownArgs = { e: args.e }; mcp.e.f({ args: ownArgs, g: args.g })');
  });

  test('lifted parameters carry formats and the descriptions of the tool', () => {
    const { parameters } = liftedText(
      "mcp.a.b({ url: 'https://x.org/y', mail: 'a@b.org', at: '2024-01-02T03:04:05Z', day: '2024-01-02', mode: 'fast' })",
      {
        describe: (tool, name) =>
          tool === 'a:b' && name === 'mode'
            ? { description: 'How', enum: ['fast', 'slow'], type: 'x' }
            : undefined,
      },
    );

    expect(parameters['properties']).toMatchObject({
      url: { format: 'uri' },
      mail: { format: 'email' },
      at: { format: 'date-time' },
      day: { format: 'date' },
      mode: { type: 'string', description: 'How', enum: ['fast', 'slow'], default: 'fast' },
    });
  });

  test('the schema includes what the script already reads from args', () => {
    const { parameters } = liftedText(
      'const { a, b = 1 } = args; mcp.x.y({ c: args.c, d: args.d ?? 2, e: args?.e })',
    );

    expect(parameters).toEqual({
      type: 'object',
      properties: { a: {}, b: {}, c: {}, d: {}, e: {} },
      required: ['a', 'c'],
    });
  });
});

describe('secrets', () => {
  const key = 'ghp_abcdefghijklmnopqrstuvwxyz0123';

  test.each([
    [`mcp.a.b({ auth: '${key}' })`, 'mcp.a.b({ auth: args.auth })'],
    [
      `const t = '${key}'; mcp.a.b({ h: \`Bearer \${t}\` })`,
      'const t = args.t; mcp.a.b({ h: `Bearer ${t}` })',
    ],
    [`mcp.a.b({ u: \`x?k=${key}&y=\${1}\` })`, 'mcp.a.b({ u: `x?k=${args.u}&y=${1}` })'],
    [`f({ '${key}': 1 })`, 'f({ [args.secret]: 1 })'],
    ["mcp.a.b({ password: 'hunter2' })", 'mcp.a.b({ password: args.password })'],
    ["const o = {}; o.apiKey = 'abc'; f(o)", 'const o = {}; o.apiKey = args.apiKey; f(o)'],
    ["mcp.a.b({ h: { token: 'abc', n: 1 } })", 'mcp.a.b({ h: { token: args.token, n: args.n } })'],
    ["mcp.a.b({ db: 'postgres://u:pw@h/d' })", 'mcp.a.b({ db: args.db })'],
    ["mcp.a.b({ x: 'known value' })", 'mcp.a.b({ x: args.x })'],
  ])('a secret becomes a required parameter: %s', (text, lifted) => {
    const { code, defaults, secrets, parameters } = liftedText(text, {
      isSecret: (value) => value === 'known value',
    });

    expect(code).toBe(lifted);
    expect(secrets).toHaveLength(1);
    expect(parameters['required']).toEqual([secrets[0]!.name]);
    expect(Object.keys(defaults)).not.toContain(secrets[0]!.name);
  });

  test('a secret in a comment, type or default is not kept', () => {
    const lifted = liftedText(
      `// ${key}\ntype T = '${key}';\nmcp.a.b({ list: ['x', '${key}'] /* ${key} */ })`,
    );

    expect(JSON.stringify(lifted)).not.toContain(key);
  });

  test.each([
    'sk-proj-abcdefghijklmnop1234',
    'AKIAIOSFODNN7EXAMPLE',
    'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----',
    'Bearer abcdef0123456789',
    'https://user:pass@example.org/x',
    'xoxb-1234567890-abcdefghij',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N',
    'q7Rz2Kp9Xv4Lm1Tb8Wc6Yd3F',
  ])('findSecret detects %s', (text) => {
    expect(findSecret(`a ${text} b`)).toBeDefined();
  });

  test.each([
    'The quick brown fox jumps over the lazy dog',
    '/home/user/projects/reports/2024/final-report-v2.pdf',
    'https://example.org/some/long/path?query=value&other=123',
    '3f786850e387550fdab836ed7e6dc881de23001b',
    '123e4567-e89b-12d3-a456-426614174000',
    'getUserAccountDetailsById',
    'SELECT id, name FROM customers WHERE created_at > $1',
    'ada.lovelace@example.org',
    '2024-01-02T03:04:05.678Z',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'InternalServerError2024ReportFinal',
  ])('findSecret ignores %s', (text) => {
    expect(findSecret(text)).toBeUndefined();
  });
});

describe('names', () => {
  test.each([
    ['Back up the repo to S3', [], [], 'backUpRepoToS3'],
    ['Please send me the weekly report by mail', [], [], 'sendWeeklyReportByMail'],
    ['Send the report', ['sendReport', 'sendReport2'], [], 'sendReport3'],
    ['', [], ['git:clone', 's3:put_object'], 'gitCloneS3PutObject'],
    ['日本語', [], [], 'run'],
    ['Récupérer les données', [], [], 'recupererLesDonnees'],
    ['delete', [], [], 'runDelete'],
    ['3 newest issues', [], [], 'run3NewestIssues'],
    ['List issues. Then close them.', [], [], 'listIssues'],
  ])('nameFromIntent names a capability: %s', (intent, taken, tools, name) => {
    expect(nameFromIntent(intent, taken, tools)).toBe(name);
  });
});
