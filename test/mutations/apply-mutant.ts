import type { Mutant } from './mutant.js';

/** The file with the mistake in it; null where the text to replace is not there exactly once. */
export function applyMutant(source: string, { find, replace }: Mutant): string | null {
  const pieces = source.split(find);
  return pieces.length === 2 ? pieces.join(replace) : null;
}
