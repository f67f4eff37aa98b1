import { getFloat16, setFloat16 } from '@petamoriken/float16';

/** Normalises a vector and encodes it as 16-bit floats, little-endian; null for a zero or invalid vector. Pure. */
export function toHalfVector(vector: Float32Array): Buffer | null {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (!Number.isFinite(length) || length === 0) return null;
  const halves = new DataView(new ArrayBuffer(vector.length * 2));
  vector.forEach((value, index) => {
    setFloat16(halves, index * 2, value / length, true);
  });
  return Buffer.from(halves.buffer);
}

/** Inverse of `toHalfVector`. Pure. */
export function fromHalfVector(bytes: Uint8Array): Float32Array {
  const halves = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: bytes.byteLength / 2 }, (_none, index) =>
    getFloat16(halves, index * 2, true),
  );
}
