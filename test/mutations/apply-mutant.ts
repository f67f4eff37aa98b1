import type { Mutant } from './mutant.js';

/** Applies a mutant to a source; null if the source does not contain the text to replace exactly once. */
export function applyMutant(source: string, { find, replace }: Mutant): string | null {
  const pieces = source.split(find);
  return pieces.length === 2 ? pieces.join(replace) : null;
}
