import { getFloat16 } from '@petamoriken/float16';

/** Pure: a vector as PostgreSQL reads a `halfvec`, of 16-bit floats (little-endian). */
export function halfvecOfBytes(bytes: Buffer): string {
  const halves = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return halfvecOf(
    Float32Array.from({ length: bytes.byteLength / 2 }, (_none, at) => getFloat16(halves, at * 2, true)),
  );
}

/** Pure: a vector as PostgreSQL reads a `halfvec`, of numbers. */
export function halfvecOf(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}
