import { BlobStore, TOO_LARGE, type WrittenBlob } from '#libs/knowledge';

/** Blobs in memory. */
export class InMemoryBlobs extends BlobStore {
  private readonly blobs = new Map<string, Buffer>();

  /** @param hash SHA-256, which this library does not implement */
  constructor(private readonly hash: (bytes: Buffer) => Buffer) {
    super();
  }

  /** The number of blobs. */
  get size(): number {
    return this.blobs.size;
  }

  override async write(
    key: string,
    bytes: AsyncIterable<Uint8Array>,
    { mostBytes }: { readonly mostBytes: number },
  ): Promise<WrittenBlob | typeof TOO_LARGE> {
    const parts: Uint8Array[] = [];
    let sizeBytes = 0;
    for await (const part of bytes) {
      sizeBytes += part.byteLength;
      if (sizeBytes > mostBytes) return TOO_LARGE;
      parts.push(part);
    }
    const blob = Buffer.concat(parts);
    this.blobs.set(key, blob);
    return { sizeBytes, contentHash: this.hash(blob) };
  }

  override read(key: string): Promise<AsyncIterable<Uint8Array> | null> {
    const blob = this.blobs.get(key);
    return Promise.resolve(blob === undefined ? null : oneByOne(blob));
  }

  override remove(key: string): Promise<void> {
    this.blobs.delete(key);
    return Promise.resolve();
  }

  override check(): Promise<void> {
    return Promise.resolve();
  }
}

async function* oneByOne(blob: Buffer): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(blob);
}
