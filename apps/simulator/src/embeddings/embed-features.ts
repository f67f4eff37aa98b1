import { createHash } from 'node:crypto';

/** A feature of a text, with its weight. */
export interface Feature {
  readonly name: string;
  readonly weight: number;
}

/** A unit vector with each feature hashed to a component and a sign; deterministic on every machine. */
export function embedFeatures(features: Iterable<Feature>, dimensions: number): Float32Array {
  const vector = new Float64Array(dimensions);
  for (const { name, weight } of features) {
    const digest = createHash('sha256').update(name).digest();
    const component = digest.readUInt32BE(0) % dimensions;
    const sign = (digest[4] ?? 0) % 2 === 0 ? 1 : -1;
    vector[component] = (vector[component] ?? 0) + sign * weight;
  }
  return toUnitLength(vector);
}

/** With few dimensions signs may cancel out; such a text gets the first axis. */
function toUnitLength(vector: Float64Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length === 0
    ? Float32Array.from(vector, (_value, at) => (at === 0 ? 1 : 0))
    : Float32Array.from(vector, (value) => value / length);
}
