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

/** Minimum time for a blob to be written and referred to, in ms, before the disposal deletes it. */
const ANNOUNCED_MS = 3_600_000;
/** Time for the store and the database after the upload has arrived, in ms. */
const TO_KEEP_MS = 1_800_000;

function announcedMs(mostBytes: number): number {
  return Math.max(ANNOUNCED_MS, longestArrivalMs(mostBytes) + TO_KEEP_MS);
}

/** Bytes received with a request. */
export interface ComingBlob {
  readonly tenantId: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Name of the request field that the bytes came in. */
  readonly field: string;
  readonly mostBytes: number;
  /** Upper bound from the request's declared length; fewer bytes may arrive. */
  readonly announcedBytes: number;
}

/** Stores uploaded bytes in the blob store. */
export class BlobKeeper {
  constructor(
    private readonly blobs: BlobStore,
    private readonly disposals: Pick<DocumentStore, 'announceBlob' | 'forgetBlobs'>,
    private readonly room: UploadRoom,
  ) {}

  /**
   * Stores `bytes`, scheduled for disposal until a row refers to them, so that a crash leaks no blob. Throws the error of
   * `bytes`, a fault of `field` above `mostBytes`, or the error for 429 or 503 under load; then nothing is kept.
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
      // An unavailable store is not called again; its partial blob is scheduled for disposal.
      if (!(error instanceof BlobStoreUnavailableError)) await this.drop({ blobKey });
      throw error;
    }
  }

  /** The bytes of the blob; null once it is deleted. */
  open(blobKey: string): Promise<AsyncIterable<Uint8Array> | null> {
    return this.blobs.read(blobKey);
  }

  /** Deletes a blob without references; if that fails, its scheduled disposal does. */
  async drop({ blobKey }: Pick<Original, 'blobKey'>): Promise<void> {
    try {
      await this.blobs.remove(blobKey);
      await this.disposals.forgetBlobs([blobKey]);
    } catch {
      // The disposal remains scheduled.
    }
  }
}
