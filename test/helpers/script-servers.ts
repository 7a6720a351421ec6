/** Made-up servers that scripts of the fixtures call: small, complete, and always the same. */
export interface ScriptServers {
  readonly mcp: Readonly<Record<string, Readonly<Record<string, Tool>>>>;
  readonly cap: Readonly<Record<string, Tool>>;
  readonly load: (handle: string) => Promise<unknown>;
  /** Every call in the order it was made, with its arguments. */
  readonly calls: readonly { readonly name: string; readonly args: unknown }[];
}

type Json = Record<string, unknown>;
type Tool = (args?: Json) => Promise<unknown>;
type Row = Json & { id: string };

function tables(): Record<string, Row[]> {
  return {
    customers: [
      {
        id: 'c1',
        name: 'Ada Lovelace',
        email: 'ada@example.org',
        city: 'London',
        active: true,
        tags: ['vip', 'math'],
      },
      {
        id: 'c2',
        name: 'Alan Turing',
        email: 'alan@example.org',
        city: 'London',
        active: true,
        tags: ['vip'],
      },
      {
        id: 'c3',
        name: 'Grace Hopper',
        email: 'grace@example.org',
        city: 'New York',
        active: false,
        tags: [],
      },
      {
        id: 'c4',
        name: 'Edsger Dijkstra',
        email: 'edsger@example.org',
        city: 'Rotterdam',
        active: true,
        tags: ['paths'],
      },
      {
        id: 'c5',
        name: 'Barbara Liskov',
        email: null,
        city: 'Boston',
        active: true,
        tags: ['types', 'vip'],
      },
    ],
    orders: [
      {
        id: 'o1',
        customer: 'c1',
        total: 120.5,
        status: 'paid',
        at: '2024-01-03T10:00:00Z',
        lines: [
          { sku: 'tea', count: 3 },
          { sku: 'cup', count: 1 },
        ],
      },
      {
        id: 'o2',
        customer: 'c2',
        total: 15,
        status: 'open',
        at: '2024-01-04T09:30:00Z',
        lines: [{ sku: 'cup', count: 2 }],
      },
      {
        id: 'o3',
        customer: 'c1',
        total: 60,
        status: 'paid',
        at: '2024-02-11T16:20:00Z',
        lines: [{ sku: 'pot', count: 1 }],
      },
      {
        id: 'o4',
        customer: 'c4',
        total: 7.25,
        status: 'failed',
        at: '2024-02-12T08:00:00Z',
        lines: [{ sku: 'tea', count: 1 }],
      },
      {
        id: 'o5',
        customer: 'c9',
        total: 99,
        status: 'paid',
        at: '2024-03-01T12:00:00Z',
        lines: [],
      },
    ],
    tickets: [
      { id: 't1', customer: 'c2', text: 'The cup is broken', priority: 2 },
      { id: 't2', customer: 'c4', text: 'Payment failed, please help', priority: 1 },
    ],
  };
}

const FILES: Readonly<Record<string, string>> = {
  '/data/sales.csv': 'sku,count,price\ntea,3,4.50\ncup,10,6\n"pot, large",1,32.00\ntea,2,4.5\n',
  '/data/config.json': '{"retries": 3, "regions": ["eu", "us"], "limits": {"eu": 10, "us": 20}}',
  '/data/broken.json': '{"a": 1,,}',
  '/data/notes.md':
    '# Notes\n\n- [ ] call Ada\n- [x] pay rent\n- [ ] write tests\n\nSee https://example.org/a and https://example.org/b.\n',
  '/logs/app.log':
    '2024-01-01T00:00:01Z INFO start\n2024-01-01T00:00:02Z ERROR db: timeout\n2024-01-01T00:00:03Z WARN slow\n2024-01-01T00:00:04Z ERROR db: timeout\n2024-01-01T00:00:05Z ERROR web: 500\n',
};

const PRODUCTS = ['tea', 'cup', 'pot', 'tray', 'spoon', 'sugar', 'milk'].map((sku, index) => ({
  sku,
  title: `Fine ${sku}`,
  price: 3 + index * 2.5,
  stock: (index * 7) % 5,
}));

export function createScriptServers(): ScriptServers {
  const calls: { name: string; args: unknown }[] = [];
  const db = tables();
  const files: Record<string, string> = { ...FILES };
  const attempts = new Map<string, number>();
  const tool =
    (name: string, run: (args: Json) => unknown): Tool =>
    async (args = {}) => {
      const given = structuredClone(args);
      calls.push({ name, args: given });
      await Promise.resolve();
      return structuredClone(run(given));
    };
  const table = (name: unknown): Row[] => {
    const rows = db[String(name)];
    if (!rows) throw new Error(`No table ${String(name)}`);
    return rows;
  };
  const mcp = {
    db: {
      query: tool('db:query', ({ table: name, where = {}, limit = 100, offset = 0 }) => {
        const rows = table(name).filter((row) =>
          Object.entries(where as Json).every(([key, value]) => row[key] === value),
        );
        const from = Number(offset);
        return { rows: rows.slice(from, from + Number(limit)), total: rows.length };
      }),
      get: tool('db:get', ({ table: name, id }) => {
        const row = table(name).find((one) => one.id === id);
        if (!row) throw new Error(`No ${String(name)} ${String(id)}`);
        return row;
      }),
      find: tool('db:find', ({ table: name, city }) =>
        table(name).filter((row) => row['city'] === city),
      ),
      insert: tool('db:insert', ({ table: name, row }) => {
        const id = `${String(name).charAt(0)}${table(name).length + 1}`;
        table(name).push({ ...(row as Json), id });
        return { id };
      }),
      update: tool('db:update', ({ table: name, id, set }) => {
        const row = table(name).find((one) => one.id === id);
        if (row) Object.assign(row, set);
        return { updated: row ? 1 : 0 };
      }),
    },
    web: {
      get: tool('web:get', ({ url }) => {
        const address = String(url);
        const count = (attempts.get(address) ?? 0) + 1;
        attempts.set(address, count);
        if (address.includes('flaky') && count < 3) throw new Error(`503 at attempt ${count}`);
        if (address.includes('missing')) return { status: 404, body: '' };
        if (address.endsWith('.json'))
          return { status: 200, body: `{"url": "${address}", "count": ${count}}` };
        return { status: 200, body: `<title>${address.split('/').at(-1)}</title>` };
      }),
      post: tool('web:post', ({ url, body }) => ({
        status: 201,
        url,
        size: JSON.stringify(body ?? null).length,
      })),
    },
    files: {
      list: tool('files:list', ({ path }) => ({
        entries: Object.keys(files)
          .filter((file) => file.startsWith(`${String(path)}/`))
          .map((file) => ({ path: file, name: file.split('/').at(-1), size: files[file]?.length })),
      })),
      read: tool('files:read', ({ path }) => {
        const text = files[String(path)];
        if (text === undefined)
          throw Object.assign(new Error(`No file ${String(path)}`), { code: 'ENOENT' });
        return { text };
      }),
      write: tool('files:write', ({ path, text }) => {
        files[String(path)] = String(text);
        return { bytes: String(text).length };
      }),
    },
    mail: {
      send: tool('mail:send', ({ to, subject }) => ({
        id: `m-${String(to)}-${String(subject).length}`,
      })),
      search: tool('mail:search', ({ query, page = 1 }) => ({
        messages: [1, 2].map((n) => ({
          id: `${String(page)}-${n}`,
          subject: `${String(query)} ${Number(page) * n}`,
        })),
        nextPage: Number(page) < 3 ? Number(page) + 1 : null,
      })),
    },
    shop: {
      products: tool('shop:products', ({ cursor = 0, limit = 3 }) => {
        const from = Number(cursor);
        const next = from + Number(limit);
        return {
          items: PRODUCTS.slice(from, next),
          next: next < PRODUCTS.length ? next : undefined,
        };
      }),
      product: tool('shop:product', ({ sku }) => PRODUCTS.find((one) => one.sku === sku) ?? null),
      order: tool('shop:order', ({ sku, count = 1 }) => {
        const product = PRODUCTS.find((one) => one.sku === sku);
        if (!product || product.stock < Number(count))
          throw new Error(`${String(sku)} is sold out`);
        return { order: `x-${String(sku)}`, total: product.price * Number(count) };
      }),
      rate: tool('shop:rate', ({ from, to }) => ({
        rate: from === to ? 1 : String(from).length / 4 + 0.5,
      })),
    },
  };
  const cap = {
    summarise: tool('cap:summarise', ({ text, words = 3 }) => ({
      summary: String(text).split(/\s+/).slice(0, Number(words)).join(' '),
    })),
    notify: tool('cap:notify', ({ who, message }) => ({
      notified: who,
      length: String(message).length,
    })),
  };
  const load = async (handle: string) => {
    calls.push({ name: 'load', args: handle });
    await Promise.resolve();
    return { handle, lines: ['one', 'two', 'three'] };
  };
  return { mcp, cap, load, calls };
}
