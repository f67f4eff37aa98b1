import { randomUUID } from 'node:crypto';
import { blobKeyOf, TOO_LARGE, type BlobStore, type DocumentStore, type Original } from '#libs/knowledge';
import { tooManyBytes } from '../http/multipart/form-faults.js';

/** So long may it take from the first byte of a blob until something refers to it. */
const ANNOUNCED_MS = 3_600_000;

/** Keeps what requests bring in the blob store. */
export class BlobKeeper {
  constructor(
    private readonly blobs: BlobStore,
    private readonly disposals: Pick<DocumentStore, 'announceBlob'>,
  ) {}

  /**
   * Reads `bytes` to their end, and keeps them for what is still to come: until something refers to them they are on the
   * list of what is to be removed. Throws what `bytes` throws, and a fault of `field` where they are too many.
   */
  async keep(
    tenantId: string,
    bytes: AsyncIterable<Uint8Array>,
    field: string,
    mostBytes: number,
  ): Promise<Original> {
    const blobKey = blobKeyOf(tenantId, randomUUID());
    await this.disposals.announceBlob(tenantId, blobKey, ANNOUNCED_MS);
    const written = await this.blobs.write(blobKey, bytes, { mostBytes });
    if (written === TOO_LARGE) throw tooManyBytes(field, mostBytes);
    return { blobKey, ...written };
  }

  /** Null where it is gone. */
  open(blobKey: string): Promise<AsyncIterable<Uint8Array> | null> {
    return this.blobs.read(blobKey);
  }

  /** Nothing will refer to it. Where it cannot be removed now, it is when its time is over. */
  async drop({ blobKey }: Original): Promise<void> {
    await this.blobs.remove(blobKey).catch(() => undefined);
  }
}
