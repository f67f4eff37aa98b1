import type { VectorBlock } from '#libs/knowledge';

interface Kept {
  readonly block: VectorBlock;
  /** Number of the last search that used it. */
  search: number;
}

/**
 * Cache of the vectors of live generations, which never change. Without room the least recently used entry is dropped, but
 * none that the same search has used: a search larger than the cache keeps a part of it, and reads the rest each time.
 */
export class VectorCache {
  private readonly kept = new Map<string, Kept>();
  private bytes = 0;

  constructor(private readonly mostBytes: number) {}

  find(key: string, search: number): VectorBlock | null {
    const found = this.kept.get(key);
    if (found === undefined) return null;
    this.kept.delete(key);
    this.kept.set(key, found);
    found.search = search;
    return found.block;
  }

  keep(key: string, block: VectorBlock, search: number): void {
    this.drop(key);
    const size = sizeOf(block);
    for (const [oldest, { search: lastSearch }] of this.kept) {
      if (this.bytes + size <= this.mostBytes || lastSearch >= search) break;
      this.drop(oldest);
    }
    if (this.bytes + size > this.mostBytes) return;
    this.kept.set(key, { block, search });
    this.bytes += size;
  }

  private drop(key: string): void {
    const found = this.kept.get(key);
    if (found === undefined) return;
    this.bytes -= sizeOf(found.block);
    this.kept.delete(key);
  }
}

/** Bytes of an entry, with about 200 beside its vectors. */
function sizeOf({ chunkIds, halves }: VectorBlock): number {
  return 200 + chunkIds.byteLength + halves.byteLength;
}
