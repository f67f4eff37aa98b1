/** Pure: a vector as PostgreSQL reads a `halfvec`, of numbers. */
export function halfvecOf(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}
