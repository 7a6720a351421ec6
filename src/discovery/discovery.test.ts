import { describe, expect, test, vi } from 'vitest';

import { memoryStores } from '../../test/helpers/memory-stores.js';
import { createDiscovery, searchable, served } from '../../test/helpers/ready-discovery.js';
import { ToyEmbedder } from '../../test/helpers/toy-embedder.js';
import { parseToolId, runId } from '../core/index.js';
import { REFERENCE_TEXTS } from '../ranking/index.js';
import { NO_TRAIL } from './decisions/trail.js';
import type { Discovery } from './discovery.js';

const OFFICE = {
  'mail:send': 'Send a mail to somebody',
  'mail:search': 'Search the inbox for mails',
  'files:read': 'Read a file from the disk',
  'files:write': 'Write text into a file',
  'web:fetch': 'Download a page of the web',
};

const order = async (discovery: Discovery, intent: string) =>
  (await discovery.rank(intent, { shown: 5 })).tools.map(({ tool }) => tool.id as string);

const call = (tool: string, ok = true) => ({ tool: parseToolId(tool).id, ok });

const never = () => new Promise<void>(() => {});

describe('tools', () => {
  test('discovery embeds only changed tools and does not find removed ones', async () => {
    const { discovery } = createDiscovery();
    const embedder = new ToyEmbedder();
    discovery.sync(searchable(OFFICE));
    await discovery.use(embedder);
    await discovery.settled();
    const first = embedder.texts.length;

    const { 'web:fetch': _gone, ...rest } = OFFICE;
    discovery.sync(searchable({ ...rest, 'files:read': 'Print a document' }));
    await discovery.settled();

    expect(first).toBe(5 + REFERENCE_TEXTS.length);
    expect(embedder.texts.slice(first)).toEqual(['read: Print a document']);
    expect(discovery.status).toMatchObject({ tools: 4, withVectors: 4, waiting: 0 });
    expect(await order(discovery, 'download a page of the web')).not.toContain('web:fetch');
  });

  test('discovery embeds nothing for a repeated list, even while the first is being indexed', async () => {
    const { discovery } = createDiscovery();
    const embedder = new ToyEmbedder();
    discovery.sync(searchable(OFFICE));
    await discovery.use(embedder);
    discovery.sync(searchable(OFFICE));
    await discovery.settled();
    discovery.sync(searchable(OFFICE));
    await discovery.settled();

    expect(embedder.texts).toHaveLength(5 + REFERENCE_TEXTS.length);
  });

  test('discovery does not embed again what has a stored vector', async () => {
    const stores = memoryStores();
    const before = createDiscovery().discovery;
    await before.attach(stores);
    before.sync(searchable(OFFICE));
    await before.remember([served('one', 'mail anna', ['mail:send'])]);
    await before.use(new ToyEmbedder());
    await before.settled();

    const { discovery } = createDiscovery();
    const embedder = new ToyEmbedder();
    discovery.sync(searchable(OFFICE));
    await discovery.attach(stores);
    await discovery.use(embedder);
    await discovery.settled();

    expect(embedder.requests).toEqual([]);
    expect(discovery.status).toMatchObject({ withVectors: 5, remembered: 1, waiting: 0 });
  });

  test('discovery embeds with the next list what a failure left out', async () => {
    const { discovery } = createDiscovery();
    const embedder = new ToyEmbedder();
    embedder.failure = new Error('model gone');
    discovery.sync(searchable(OFFICE));
    await discovery.use(embedder);
    await discovery.settled();
    expect(discovery.status).toMatchObject({ withVectors: 0, waiting: 0, error: 'model gone' });

    embedder.failure = undefined;
    discovery.sync(searchable({ ...OFFICE, 'web:open': 'Open a page' }));
    await discovery.settled();

    expect(discovery.status).toMatchObject({ withVectors: 6, waiting: 0 });
    expect(discovery.status.error).toBeUndefined();
  });
});

describe('questions', () => {
  test('before the model is ready, words answer at once and the model loads [SEARCH-NO-WAIT]', async () => {
    const { discovery } = createDiscovery();
    const embedder = new ToyEmbedder({ isReady: false });
    embedder.gate = never();
    discovery.sync(searchable(OFFICE));
    await discovery.use(embedder);

    const ranking = await discovery.rank('send a mail', { shown: 5 });

    expect(ranking).toMatchObject({ byMeaning: false, model: 'shipped' });
    expect(ranking.tools[0]?.tool.id).toBe('mail:send');
    expect(embedder.warmUps).toBe(1);
    expect(embedder.requests.some(({ isQuery }) => isQuery)).toBe(false);
    await discovery[Symbol.asyncDispose]();
  });

  test('before the model is ready, requests remembered by words count', async () => {
    const { discovery } = createDiscovery();
    const embedder = new ToyEmbedder({ isReady: false });
    embedder.gate = never();
    discovery.sync(searchable(OFFICE));
    await discovery.use(embedder);
    await discovery.remember([served('one', 'ping anna', ['mail:send'])]);

    expect(await order(discovery, 'ping anna')).toContain('mail:send');
    await discovery[Symbol.asyncDispose]();
  });

  test('discovery falls back to words if the model fails or does not load', async () => {
    const { discovery, log } = createDiscovery();
    const embedder = new ToyEmbedder();
    discovery.sync(searchable(OFFICE));
    await discovery.remember([served('one', 'ping anna', ['mail:send'])]);
    embedder.failure = new Error('model gone');
    await discovery.use(embedder);
    await discovery.settled();

    const ranking = await discovery.rank('ping anna', { shown: 5 });
    embedder.status = { state: 'failed', error: 'model gone' };
    const later = await discovery.rank('read a file', { shown: 5 });

    expect(ranking.byMeaning).toBe(false);
    expect(ranking.tools[0]?.tool.id).toBe('mail:send');
    expect(later.tools[0]?.tool.id).toBe('files:read');
    expect(log.warnings.join()).toContain('searched by words only');
  });

  test('a question does not wait for a slow model', async () => {
    vi.useFakeTimers();
    try {
      const { discovery } = createDiscovery();
      const embedder = new ToyEmbedder();
      discovery.sync(searchable(OFFICE));
      await discovery.use(embedder);
      await discovery.settled();
      embedder.gate = never();

      const ranking = discovery.rank('send a mail', { shown: 5 });
      await vi.advanceTimersByTimeAsync(2_000);

      expect(await ranking).toMatchObject({ byMeaning: false });
    } finally {
      vi.useRealTimers();
    }
  });

  test.each([
    '',
    '   ',
    '🦜🦜',
    '\u0000\u0007',
    "'; drop table tools; --",
    '(.*)+$',
    'x'.repeat(1e5),
  ])('discovery accepts any text as a question: %j', async (intent) => {
    const { discovery } = createDiscovery();
    discovery.sync(searchable(OFFICE));
    await discovery.use(new ToyEmbedder());
    await discovery.remember([served('one', 'ping anna', ['mail:send'])]);
    await discovery.settled();

    const { tools } = await discovery.rank(intent, { shown: 5 });

    for (const { probability } of tools) expect(probability > 0 && probability < 1).toBe(true);
  });

  test('the same question has the same answer, in whatever order the tools came', async () => {
    const forwards = createDiscovery().discovery;
    const backwards = createDiscovery().discovery;
    const twins = Object.fromEntries('dbcafe'.split('').map((name) => [`${name}:run`, 'Runs it']));
    forwards.sync(searchable(twins));
    backwards.sync(searchable(Object.fromEntries(Object.entries(twins).toReversed())));
    for (const discovery of [forwards, backwards]) await discovery.use(new ToyEmbedder());
    for (const discovery of [forwards, backwards]) await discovery.settled();

    expect(await order(forwards, 'run it')).toEqual(await order(backwards, 'run it'));
    expect(await order(forwards, 'run it')).toEqual(Object.keys(twins).toSorted());
  });
});

describe('models', () => {
  test('the previous model serves until the new one has caught up', async () => {
    const { discovery } = createDiscovery();
    const [old, next] = [new ToyEmbedder(), new ToyEmbedder({ dimension: 32 })];
    discovery.sync(searchable(OFFICE));
    await discovery.remember([served('one', 'ping anna', ['mail:send'])]);
    await discovery.use(old);
    await discovery.settled();
    let open = () => {};
    next.gate = new Promise<void>((resolve) => (open = resolve));

    await discovery.use(next);
    const during = await discovery.rank('send a mail', { shown: 5 });
    const oldAsked = old.requests.filter(({ isQuery }) => isQuery).length;
    open();
    await vi.waitFor(() => expect(old.isDisposed).toBe(true));
    const after = await discovery.rank('send a letter', { shown: 5 });

    expect([during.byMeaning, after.byMeaning]).toEqual([true, true]);
    expect(oldAsked).toBe(1);
    expect(next.texts).toContain('send a letter');
    expect(discovery.status).toMatchObject({ space: 'toy/32', withVectors: 5 });
  });

  test('a question asked before a model switch is compared in its own space', async () => {
    const { discovery } = createDiscovery();
    const [old, next] = [new ToyEmbedder(), new ToyEmbedder({ dimension: 32 })];
    discovery.sync(searchable(OFFICE));
    await discovery.use(old);
    await discovery.settled();
    let answer = () => {};
    old.gate = new Promise<void>((resolve) => (answer = resolve));

    const ranking = discovery.rank('send a mail', { shown: 5 });
    await discovery.use(next);
    await vi.waitFor(() => expect(old.isDisposed).toBe(true));
    answer();

    expect((await ranking).tools[0]?.tool.id).toBe('mail:send');
  });

  test('a new model that cannot embed does not replace the previous one', async () => {
    const { discovery } = createDiscovery();
    const [old, next] = [new ToyEmbedder(), new ToyEmbedder({ dimension: 32 })];
    discovery.sync(searchable(OFFICE));
    await discovery.use(old);
    await discovery.settled();
    next.failure = new Error('no such model');

    await discovery.use(next);
    await discovery.settled();

    expect((await discovery.rank('send a mail', { shown: 5 })).byMeaning).toBe(true);
    expect(old.isDisposed).toBe(false);
    expect(discovery.status.error).toBe('no such model');
  });

  test('an embedder that breaks its promised dimension breaks no answer', async () => {
    const { discovery } = createDiscovery();
    const embedder = new ToyEmbedder();
    const liar = new ToyEmbedder({ dimension: 16 });
    discovery.sync(searchable(OFFICE));
    await discovery.use(embedder);
    await discovery.settled();
    embedder.embed = (texts, options) => liar.embed(texts, options);

    const ranking = await discovery.rank('send a mail', { shown: 5 });

    expect(ranking).toMatchObject({ byMeaning: false });
    expect(ranking.tools[0]?.tool.id).toBe('mail:send');
  });

  test('of several models given in a row, discovery disposes all but the last', async () => {
    const { discovery } = createDiscovery();
    const all = [1, 2, 3, 4].map((place) => new ToyEmbedder({ id: `toy/${place}` }));
    discovery.sync(searchable(OFFICE));

    await Promise.all(all.map((embedder) => discovery.use(embedder)));
    await vi.waitFor(() =>
      expect(all.map(({ isDisposed }) => isDisposed)).toEqual([true, true, true, false]),
    );

    expect(discovery.status.space).toBe('toy/4');
    await discovery[Symbol.asyncDispose]();
    expect(all.every(({ isDisposed }) => isDisposed)).toBe(true);
  });

  test('discovery answers by words after the model is removed', async () => {
    const { discovery } = createDiscovery();
    const embedder = new ToyEmbedder();
    discovery.sync(searchable(OFFICE));
    await discovery.use(embedder);
    await discovery.useWordsOnly('not wanted');

    expect(embedder.isDisposed).toBe(true);
    expect(discovery.status).toMatchObject({ state: { state: 'none' }, error: 'not wanted' });
    expect((await order(discovery, 'send a mail'))[0]).toBe('mail:send');
  });
});

describe('memory', () => {
  test('the same experience counts once, also in parallel and after a restart', async () => {
    const stores = memoryStores();
    const { discovery } = createDiscovery();
    await discovery.attach(stores);
    const one = served('one', 'ping anna', ['mail:send']);

    expect(await discovery.remember([one, one])).toBe(1);
    expect(await discovery.remember([one])).toBe(0);
    const two = served('two', 'ping bob', ['mail:send']);
    const counts = await Promise.all([discovery.remember([two]), discovery.remember([two])]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(1);
    expect(discovery.status.remembered).toBe(2);

    const again = createDiscovery().discovery;
    await again.attach(stores);
    expect(await again.remember([one, two])).toBe(0);
    expect(again.status.remembered).toBe(2);
  });

  test('failed calls make a tool less reliable, each once', async () => {
    const failed = served('bad', 'x', [], { ok: false, calls: [call('mail:send', false)] });
    const signalAfter = async (traces: readonly (typeof failed)[]) => {
      const { discovery } = createDiscovery();
      discovery.sync(searchable(OFFICE));
      await discovery.remember(traces);
      const { tools } = await discovery.weigh('send a mail');
      return JSON.stringify(tools.map(({ signals }) => [...signals]));
    };

    expect(await signalAfter([failed, failed])).toBe(await signalAfter([failed]));
    expect(await signalAfter([failed])).not.toBe(await signalAfter([]));
  });

  test('experience from before the store was open is stored when it opens', async () => {
    const stores = memoryStores();
    const { discovery } = createDiscovery();
    await discovery.remember([served('early', 'ping anna', ['mail:send'])]);

    await discovery.attach(stores);

    expect([...stores.experience.rows.keys()]).toEqual(['early']);
    expect(discovery.status.remembered).toBe(1);
  });

  test('discovery answers requests while it loads a long past', async () => {
    const stores = memoryStores();
    const past = Array.from({ length: 450 }, (_, at) =>
      served(`p${at}`, `ping ${at}`, ['mail:send']),
    );
    await stores.experience.add(past, () => ({ nodes: [], edges: [] }));
    const { discovery } = createDiscovery();
    discovery.sync(searchable(OFFICE));

    await discovery.attach(stores);
    const during = discovery.status.remembered;
    const answer = await order(discovery, 'send a mail');
    await discovery.use(new ToyEmbedder());
    await discovery.settled();

    expect(during).toBeLessThan(450);
    expect(answer[0]).toBe('mail:send');
    expect(discovery.status).toMatchObject({ remembered: 450, waiting: 0 });
  });

  test('a store that fails breaks no answer, and calls are still remembered', async () => {
    const stores = memoryStores();
    const { discovery, log } = createDiscovery();
    discovery.sync(searchable(OFFICE));
    await discovery.attach(stores);
    await discovery.use(new ToyEmbedder());
    await discovery.settled();
    for (const store of Object.values(stores)) store.failure = new Error('disk full');

    const ranking = await discovery.rank('send a mail', { shown: 5 });
    const trail = discovery.shown(NO_TRAIL, 'send a mail', ranking);
    discovery.executed(trail, { calls: [call('mail:send')], bindings: [] });

    expect(ranking.tools[0]?.tool.id).toBe('mail:send');
    await discovery.settled();
    expect(discovery.status.remembered).toBe(1);
    expect(log.warnings.join()).toContain('disk full');
    await discovery[Symbol.asyncDispose]();
  });

  test('discovery keeps only the readable part of a request, up to a limit', async () => {
    const stores = memoryStores();
    const { discovery } = createDiscovery();
    await discovery.attach(stores);
    const blob = 'QUJD'.repeat(100_000);

    await discovery.remember([
      served('long', `decode ${blob} ${'and so on '.repeat(9_000)}`, ['a:b']),
    ]);
    discovery.executed(NO_TRAIL, { calls: [call('a:b')], bindings: [], intent: `decode ${blob}` });

    await discovery.settled();
    expect(stores.experience.rows.size).toBe(2);
    const intents = Array.from(stores.experience.rows.values(), ({ intent }) => intent);
    expect(intents[0]).toMatch(/^decode {3}and so on/);
    expect(intents[0]!.length).toBeLessThanOrEqual(4_000);
    expect(intents[1]).toBe('decode');
  });

  test('a call is attributed to the question that showed its tool, not to one that merely knew it', async () => {
    const stores = memoryStores();
    const { discovery } = createDiscovery();
    discovery.sync(searchable(OFFICE));
    await discovery.attach(stores);
    const first = await discovery.rank('read a file', { shown: 1 });
    const second = await discovery.rank('write text into a file', { shown: 1 });
    let trail = discovery.shown(NO_TRAIL, 'read a file', first);
    trail = discovery.shown(trail, 'write text into a file', second);

    discovery.executed(trail, { calls: [call('files:read')], bindings: [] });

    await discovery.settled();
    expect(stores.experience.rows.size).toBe(1);
    const [trace] = stores.experience.rows.values();
    expect(trace).toMatchObject({ intent: 'read a file', group: first.id, ok: true });
  });

  test('discovery reads only the text of a question, so its answer key changes no answer', async () => {
    const rows = ['send anna the report', 'read the log file'];
    const answers = async (isGoldKnown: boolean) => {
      const { discovery } = createDiscovery();
      discovery.sync(searchable(OFFICE));
      await discovery.use(new ToyEmbedder());
      await discovery.remember([served('past', 'ping anna', ['mail:send'])]);
      await discovery.settled();
      const gold = isGoldKnown ? ['files:write'] : [];
      const found = [];
      for (const query of rows) {
        const question = { id: query, query, gold };
        found.push(await order(discovery, question.query));
      }
      return { found, remembered: discovery.status.remembered };
    };

    expect(await answers(true)).toEqual(await answers(false));
  });

  test('questions teach nothing: answers do not depend on earlier questions', async () => {
    const { discovery } = createDiscovery();
    discovery.sync(searchable(OFFICE));
    await discovery.use(new ToyEmbedder());
    await discovery.remember([served('past', 'ping anna', ['mail:send'])]);
    await discovery.settled();
    const alone = await order(discovery, 'read the log file');

    for (let asked = 0; asked < 20; asked++) await order(discovery, `write ${asked} to the file`);

    expect(await order(discovery, 'read the log file')).toEqual(alone);
    expect(discovery.status.remembered).toBe(1);
  });
});

describe('the end', () => {
  test('discovery disposed during indexing ends at once and leaves no work', async () => {
    const { discovery, log } = createDiscovery();
    const embedder = new ToyEmbedder();
    embedder.gate = never();
    discovery.sync(searchable(OFFICE));
    await discovery.use(embedder);
    const remembering = discovery.remember([served('one', 'ping anna', ['mail:send'])]);

    await discovery[Symbol.asyncDispose]();

    await remembering;
    expect(embedder.isDisposed).toBe(true);
    expect(log.warnings).toEqual([]);
  });

  test('a model that arrives after disposal is disposed', async () => {
    const { discovery } = createDiscovery();
    const embedder = new ToyEmbedder();
    await discovery[Symbol.asyncDispose]();

    await discovery.use(embedder);

    expect(embedder.isDisposed).toBe(true);
    await discovery[Symbol.asyncDispose]();
  });

  test('disposal cancels learning and writes pending decisions', async () => {
    const stores = memoryStores();
    const { discovery } = createDiscovery();
    discovery.sync(searchable(OFFICE));
    await discovery.attach(stores);
    await discovery.use(new ToyEmbedder());
    await discovery.settled();
    await discovery.rank('send a mail', { shown: 5 });
    const past = Array.from({ length: 200 }, (_, place) =>
      served(`p${place}`, `ping anna ${place}`, ['mail:send']),
    );
    await discovery.remember(past);
    const learning = discovery.learn();

    await discovery[Symbol.asyncDispose]();

    await learning;
    expect(stores.ranking.saved.size).toBe(0);
    expect(stores.ranking.decisions.size).toBe(1);
  });

  test('a model that fails to dispose does not prevent decisions from being written', async () => {
    const stores = memoryStores();
    const { discovery } = createDiscovery();
    const embedder = new ToyEmbedder();
    discovery.sync(searchable(OFFICE));
    await discovery.attach(stores);
    await discovery.use(embedder);
    await discovery.rank('send a mail', { shown: 5 });
    embedder[Symbol.asyncDispose] = () => Promise.reject(new Error('stuck'));

    await discovery[Symbol.asyncDispose]();

    expect(stores.ranking.decisions.size).toBe(1);
  });
});

test('discovery masks secrets before it stores anything', async () => {
  const stores = memoryStores();
  const { discovery } = createDiscovery({ mask: (text) => text.replaceAll('hunter2', '***') });
  await discovery.attach(stores);
  discovery.sync(searchable(OFFICE));

  const ranking = await discovery.rank('send a mail with hunter2', { shown: 5 });
  const trail = discovery.shown(NO_TRAIL, 'send a mail with hunter2', ranking);
  discovery.executed(trail, { calls: [call('mail:send')], bindings: [] });
  await discovery[Symbol.asyncDispose]();

  const kept = JSON.stringify([
    await stores.experience.load({ limit: 10 }),
    await stores.ranking.traces({ limit: 10 }),
    trail,
  ]);
  expect(kept).toContain('send a mail with ***');
  expect(kept).not.toContain('hunter2');
});

describe('runs that ended while PML could not store them', () => {
  const ended = (run: string, calls: readonly ReturnType<typeof call>[]) => ({
    trace: { run: runId(run), calls, bindings: [], ok: calls.length > 0, ms: 5, decisions: [] },
    startedAt: 1_000,
  });

  test('runs that ended while PML could not store them are recovered once, each under its own id', async () => {
    const stores = memoryStores();
    const { discovery } = createDiscovery();
    await discovery.attach(stores);
    const runs = [ended('run_a', [call('mail:send')]), ended('run_b', [])];

    discovery.recover(runs);
    await discovery.settled();
    discovery.recover(runs);
    discovery.executed(NO_TRAIL, runs[0]!.trace);
    await discovery[Symbol.asyncDispose]();

    const rows = await stores.experience.load({ limit: 10 });
    expect(rows).toMatchObject([
      { id: 'run_a', run: 'run_a', ok: true, ms: 5, at: new Date(1_000) },
      { id: 'run_b', ok: false, calls: [] },
    ]);
  });
});
