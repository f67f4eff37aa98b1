import { embedFeatures, type Feature } from './embed-features.js';

const N_GRAM_SIZES = [1, 2, 3] as const;

/**
 * A unit vector from the character n-grams (1 to 3) of a text, each hashed to a component and a sign. Width and case are
 * ignored. Deterministic on every machine.
 */
export function embedText(text: string, dimensions: number): Float32Array {
  const folded = ` ${text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()} `;
  return embedFeatures(nGrams([...folded]).map(asHeavyAsLong), dimensions);
}

/** As {@link embedText}, for a text in token numbers. */
export function embedTokens(tokens: readonly number[], dimensions: number): Float32Array {
  return embedFeatures(nGrams(tokens.map((token) => `${token},`)).map(asHeavyAsLong), dimensions);
}

/** All n-grams of the units for each size. */
export function nGrams(units: readonly string[], sizes: readonly number[] = N_GRAM_SIZES): readonly string[] {
  return sizes.flatMap((size) =>
    units
      .slice(0, Math.max(units.length - size + 1, 0))
      .map((_unit, at) => units.slice(at, at + size).join('')),
  );
}

const asHeavyAsLong = (name: string): Feature => ({ name, weight: name.length });
