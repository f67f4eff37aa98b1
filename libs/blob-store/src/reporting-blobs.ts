import { BlobStore, BlobStoreUnavailableError, type TOO_LARGE, type WrittenBlob } from '#libs/knowledge';
import { assertBlobKey } from './blob-key.js';

/** The operation that was called on a store. */
export type BlobOperation = 'write' | 'read' | 'remove' | 'check';
/** Called for each failure of a store; the thrown error has the original one as its cause. */
export type OnBlobFailure = (operation: BlobOperation) => void;

/**
 * Reports the failures of a store and throws each as `BlobStoreUnavailableError`. An error of the caller's own byte
 * source is no failure of the store and is rethrown unchanged.
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
   * Reads the first chunk before it resolves, so that a failing store is detected early. A caller that never reads
   * further still releases the source with `return`.
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

  /**
   * An iterator and not a generator, since `return` on a generator that was never started does not reach its source.
   */
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

/** Wraps a byte source and keeps the error that it threw. */
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
