import { randomUUID } from 'node:crypto';
import { blobKeyOf, TOO_LARGE, type BlobStore, type DocumentStore, type Original } from '#libs/knowledge';
import { tooManyBytes } from '../http/multipart/form-faults.js';

/** So long may it take from the first byte of a blob until something refers to it. */
const ANNOUNCED_MS = 3_600_000;

/** Keeps what requests bring in the blob store. */
export class BlobKeeper {
  constructor(
    private readonly blobs: BlobStore,
    private readonly disposals: Pick<DocumentStore, 'announceBlob' | 'forgetBlobs'>,
  ) {}

  /**
   * Reads `bytes` to their end, and keeps them for what is still to come: until something refers to them they are on the
   * list of what is to be removed. Throws what `bytes` throws, and a fault of `field` where they are too many; nothing is left
   * then.
   */
  async keep(
    tenantId: string,
    bytes: AsyncIterable<Uint8Array>,
    field: string,
    mostBytes: number,
  ): Promise<Original> {
    const blobKey = blobKeyOf(tenantId, randomUUID());
    await this.disposals.announceBlob(tenantId, blobKey, ANNOUNCED_MS);
    try {
      const written = await this.blobs.write(blobKey, bytes, { mostBytes });
      if (written === TOO_LARGE) throw tooManyBytes(field, mostBytes);
      return { blobKey, ...written };
    } catch (error) {
      await this.drop({ blobKey });
      throw error;
    }
  }

  /** Null where it is gone. */
  open(blobKey: string): Promise<AsyncIterable<Uint8Array> | null> {
    return this.blobs.read(blobKey);
  }

  /** Nothing will refer to it. Where it cannot be removed now, it is when its time is over. */
  async drop({ blobKey }: Pick<Original, 'blobKey'>): Promise<void> {
    try {
      await this.blobs.remove(blobKey);
      await this.disposals.forgetBlobs([blobKey]);
    } catch {
      // It is still on the list.
    }
  }
}
