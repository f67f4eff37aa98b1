import { BlobStore, BlobStoreUnavailableError, type TOO_LARGE, type WrittenBlob } from '#libs/knowledge';
import { assertBlobKey } from './blob-key.js';

/** What a store was asked to do. */
export type BlobOperation = 'write' | 'read' | 'remove' | 'check';
/** Hears of each failure of a store; what it was is the cause of what is thrown. */
export type OnBlobFailure = (operation: BlobOperation) => void;

/**
 * A store whose failures have one name, `BlobStoreUnavailableError`, and are reported. What goes wrong with the bytes that
 * it is given is none of them, and is thrown on as it is.
 */
export class ReportingBlobs extends BlobStore {
  constructor(
    private readonly store: BlobStore,
    private readonly onFailure: OnBlobFailure,
  ) {
    super();
  }

  override async write(
    key: string,
    bytes: AsyncIterable<Uint8Array>,
    limit: { readonly mostBytes: number },
  ): Promise<WrittenBlob | typeof TOO_LARGE> {
    assertBlobKey(key);
    const source = new Source(bytes);
    try {
      return await this.store.write(key, source.read(), limit);
    } catch (error) {
      if (source.hasThrown(error)) throw error;
      throw this.failed('write', error);
    }
  }

  /**
   * Its first part is read before this resolves, so that a store which fails says so in time, and whoever then reads
   * nothing ends what stands behind it all the same.
   */
  override async read(key: string): Promise<AsyncIterable<Uint8Array> | null> {
    assertBlobKey(key);
    return this.reported('read', async () => {
      const bytes = await this.store.read(key);
      if (bytes === null) return null;
      const parts = bytes[Symbol.asyncIterator]();
      return this.rest(await parts.next(), parts);
    });
  }

  override async remove(key: string): Promise<void> {
    assertBlobKey(key);
    await this.reported('remove', () => this.store.remove(key));
  }

  override async check(): Promise<void> {
    await this.reported('check', () => this.store.check());
  }

  /** Not a generator: one that nobody has begun does not hear that nobody will. */
  private rest(
    first: IteratorResult<Uint8Array>,
    parts: AsyncIterator<Uint8Array>,
  ): AsyncIterable<Uint8Array> {
    let next: IteratorResult<Uint8Array> | null = first;
    const reading: AsyncIterator<Uint8Array> = {
      next: async () => {
        const read = next ?? (await this.reported('read', () => parts.next()));
        next = null;
        return read;
      },
      return: async () => {
        await parts.return?.();
        return { done: true, value: undefined };
      },
    };
    return { [Symbol.asyncIterator]: () => reading };
  }

  private async reported<T>(operation: BlobOperation, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.failed(operation, error);
    }
  }

  private failed(operation: BlobOperation, error: unknown): BlobStoreUnavailableError {
    this.onFailure(operation);
    return new BlobStoreUnavailableError(error);
  }
}

/** Bytes that remember what they broke off with. */
class Source {
  private thrown: { readonly error: unknown } | null = null;

  constructor(private readonly bytes: AsyncIterable<Uint8Array>) {}

  async *read(): AsyncGenerator<Uint8Array> {
    try {
      yield* this.bytes;
    } catch (error) {
      this.thrown = { error };
      throw error;
    }
  }

  hasThrown(error: unknown): boolean {
    return this.thrown !== null && this.thrown.error === error;
  }
}
