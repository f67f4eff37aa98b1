import type { VectorBlock } from '#libs/knowledge';

/** A chunk with its vector, as it is stored. */
export interface ChunkVector {
  readonly chunkId: number;
  readonly vector: Buffer;
}

/** Pure: puts the vectors of chunks into one piece of memory. */
export function toVectorBlock(rows: readonly ChunkVector[], dimensions: number): VectorBlock {
  const halves = new Uint16Array(rows.length * dimensions);
  const bytes = new Uint8Array(halves.buffer);
  for (const [row, { vector }] of rows.entries()) bytes.set(vector, row * dimensions * 2);
  return { chunkIds: Float64Array.from(rows, ({ chunkId }) => chunkId), halves };
}
