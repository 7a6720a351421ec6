import { parseArgs } from 'node:util';

/** What follows the name of a bench on the command line. */
export interface BenchOptions {
  readonly positionals: readonly string[];
  readonly values: Readonly<Record<string, string | undefined>>;
  readonly hasDatabase: boolean;
}

export function readOptions(argv: readonly string[]): BenchOptions {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      json: text,
      tools: text,
      memory: text,
      traces: text,
      calls: text,
      questions: text,
      out: text,
      data: text,
      sets: text,
      tasks: text,
      repeats: text,
      asked: text,
      resamples: text,
      folds: text,
      parts: text,
      configs: text,
      database: { type: 'boolean' },
    },
  });
  const { database = false, ...texts } = values;
  return { positionals, values: texts, hasDatabase: database };
}
