/** The tokenizer takes most of a second to load, so only commands that count pay for it. */
export async function tokenCounter(): Promise<(value: unknown) => number> {
  const { loadTokenizer } = await import('./tokenizer.js');
  const { encode } = await loadTokenizer();
  return (value) => encode(typeof value === 'string' ? value : JSON.stringify(value)).length;
}

/** A tool as clients hand it to a model. */
export function asModelSees(tool: Readonly<Record<string, unknown>>): unknown {
  return {
    name: tool['name'],
    description: tool['description'],
    input_schema: tool['inputSchema'],
  };
}
