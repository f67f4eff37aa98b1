import type { UnembeddedText } from '../ports/ingestion-store.js';

/**
 * Splits texts into batches in order, limited in number and tokens; a text beyond the token limit forms a batch of its
 * own. Pure.
 */
export function batchesOf(
  texts: readonly UnembeddedText[],
  most: { readonly texts: number; readonly tokens: number },
): readonly (readonly UnembeddedText[])[] {
  const batches: UnembeddedText[][] = [];
  let tokens = 0;
  for (const text of texts) {
    const last = batches.at(-1);
    if (last === undefined || last.length >= most.texts || tokens + text.tokens > most.tokens) {
      batches.push([text]);
      tokens = text.tokens;
    } else {
      last.push(text);
      tokens += text.tokens;
    }
  }
  return batches;
}
