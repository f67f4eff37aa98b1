import { getFloat16 } from '@petamoriken/float16';
import type { NearChunk } from '../ports/chunk-index.js';

/** Vectors of chunks in contiguous memory, 2 bytes per component. */
export interface VectorBlock {
  readonly chunkIds: Float64Array;
  /** Unit vectors as bits of 16-bit floats, concatenated in the order of `chunkIds`. */
  readonly halves: Uint16Array;
}

const HALF = new DataView(new ArrayBuffer(2));
/** Value of each 16-bit float: a table look-up is faster than conversion, and as exact. */
const FLOAT_OF = Float32Array.from({ length: 65_536 }, (_none, bits) => {
  HALF.setUint16(0, bits);
  return getFloat16(HALF, 0);
});

/** Keeps the nearest chunks seen so far; ties are ordered by id. */
export class NearestHalves {
  /** Best first. */
  private readonly best: NearChunk[] = [];

  /** @param question unit vector */
  constructor(
    private readonly question: Float32Array,
    private readonly limit: number,
  ) {}

  look({ chunkIds, halves }: VectorBlock): void {
    for (const [row, chunkId] of chunkIds.entries())
      this.offer({ chunkId, similarity: dot(this.question, halves, row * this.question.length) });
  }

  get nearest(): readonly NearChunk[] {
    return this.best;
  }

  private offer(chunk: NearChunk): void {
    const last = this.best.at(-1);
    if (this.best.length >= this.limit && (last === undefined || compare(chunk, last) >= 0)) return;
    let [from, to] = [0, this.best.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      const other = this.best[middle];
      if (other !== undefined && compare(other, chunk) < 0) from = middle + 1;
      else to = middle;
    }
    this.best.splice(from, 0, chunk);
    if (this.best.length > this.limit) this.best.pop();
  }
}

function compare(a: NearChunk, b: NearChunk): number {
  return b.similarity - a.similarity || a.chunkId - b.chunkId;
}

/** Four independent sums, which the processor can compute in parallel. */
function dot(question: Float32Array, halves: Uint16Array, from: number): number {
  const at = (index: number): number => (question[index] ?? 0) * (FLOAT_OF[halves[from + index] ?? 0] ?? 0);
  const whole = question.length - (question.length % 4);
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let index = 0; index < whole; index += 4) {
    a += at(index);
    b += at(index + 1);
    c += at(index + 2);
    d += at(index + 3);
  }
  for (let index = whole; index < question.length; index += 1) a += at(index);
  return a + b + c + d;
}
