import { randomUUID } from 'node:crypto';
import {
  blobKeyOf,
  BlobStoreUnavailableError,
  TOO_LARGE,
  type BlobStore,
  type DocumentStore,
  type Original,
} from '#libs/knowledge';
import { longestArrivalMs } from '#libs/http-server';
import { tooManyBytes } from '../http/multipart/form-faults.js';
import type { UploadRoom } from './upload-room.js';

/** So long may it take at least from the first byte of a blob until something refers to it. */
const ANNOUNCED_MS = 3_600_000;
/** For the store and the database, beside what it may take to arrive. */
const TO_KEEP_MS = 1_800_000;

function announcedMs(mostBytes: number): number {
  return Math.max(ANNOUNCED_MS, longestArrivalMs(mostBytes) + TO_KEEP_MS);
}

/** What a request brings. */
export interface ComingBlob {
  readonly tenantId: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Where it stands in the request. */
  readonly field: string;
  readonly mostBytes: number;
  /** As whoever sends it says, before it has come; it may be less, and is never more. */
  readonly announcedBytes: number;
}

/** Keeps what requests bring in the blob store. */
export class BlobKeeper {
  constructor(
    private readonly blobs: BlobStore,
    private readonly disposals: Pick<DocumentStore, 'announceBlob' | 'forgetBlobs'>,
    private readonly room: UploadRoom,
  ) {}

  /**
   * Reads `bytes` to their end, and keeps them for what is still to come: until something refers to them they are on the
   * list of what is to be removed. Throws what `bytes` throws, a fault of `field` where they are too many, and what is
   * answered 429 or 503 where too much comes at once; nothing is left then.
   */
  async keep(coming: ComingBlob): Promise<Original> {
    const { tenantId, announcedBytes, mostBytes } = coming;
    const release = this.room.take(tenantId, Math.min(announcedBytes, mostBytes));
    try {
      const blobKey = blobKeyOf(tenantId, randomUUID());
      await this.disposals.announceBlob(tenantId, blobKey, announcedMs(mostBytes));
      return await this.write(blobKey, coming);
    } finally {
      release();
    }
  }

  private async write(blobKey: string, { bytes, field, mostBytes }: ComingBlob): Promise<Original> {
    try {
      const written = await this.blobs.write(blobKey, bytes, { mostBytes });
      if (written === TOO_LARGE) throw tooManyBytes(field, mostBytes);
      return { blobKey, ...written };
    } catch (error) {
      // A store that fails is not asked for more; what may be there is on the list.
      if (!(error instanceof BlobStoreUnavailableError)) await this.drop({ blobKey });
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
