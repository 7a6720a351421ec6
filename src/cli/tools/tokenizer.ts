/** Alone in its file: what loads modules late is not kept compiled (`compiled-code.ts`). */
export async function loadTokenizer() {
  return import('gpt-tokenizer/encoding/o200k_base');
}
