import { createHash } from 'node:crypto';

const N_GRAM_SIZES = [1, 2, 3] as const;

/**
 * A vector of unit length from the character n-grams (1 to 3) of a text, each hashed to a component and a sign. Width
 * and case do not count. The same text and number of dimensions always give the same vector, on every machine.
 */
export function embedText(text: string, dimensions: number): Float32Array {
  const folded = ` ${text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()} `;
  return embedFeatures(nGrams([...folded]), dimensions);
}

/** The same for a text given as token numbers. */
export function embedTokens(tokens: readonly number[], dimensions: number): Float32Array {
  return embedFeatures(nGrams(tokens.map((token) => `${token},`)), dimensions);
}

function nGrams(units: readonly string[]): readonly string[] {
  return N_GRAM_SIZES.flatMap((size) =>
    units
      .slice(0, Math.max(units.length - size + 1, 0))
      .map((_unit, at) => units.slice(at, at + size).join('')),
  );
}

function embedFeatures(features: readonly string[], dimensions: number): Float32Array {
  const vector = new Float64Array(dimensions);
  for (const feature of features) {
    const digest = createHash('sha256').update(feature).digest();
    const component = digest.readUInt32BE(0) % dimensions;
    const sign = (digest[4] ?? 0) % 2 === 0 ? 1 : -1;
    vector[component] = (vector[component] ?? 0) + sign * feature.length;
  }
  return toUnitLength(vector);
}

/** Signs may cancel out in a few dimensions: such a text points along the first axis. */
function toUnitLength(vector: Float64Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length === 0
    ? Float32Array.from(vector, (_value, at) => (at === 0 ? 1 : 0))
    : Float32Array.from(vector, (value) => value / length);
}
