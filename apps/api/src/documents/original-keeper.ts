import { randomUUID } from 'node:crypto';
import type { KnowledgeConfig } from '#libs/config';
import { blobKeyOf, TOO_LARGE, type BlobStore, type DocumentStore, type Original } from '#libs/knowledge';
import { tooManyBytes } from '../http/multipart/form-faults.js';
import { documentsNotConfigured } from './documents.faults.js';

/** So long may it take from the first byte of an original until a document refers to it. */
const ANNOUNCED_MS = 3_600_000;

/** What the operator has set up for originals. */
interface OriginalPlace {
  readonly blobs: BlobStore;
  readonly bounds: Pick<KnowledgeConfig, 'mostDocumentBytes' | 'quota'>;
}

/** Keeps originals of documents in the blob store. */
export class OriginalKeeper {
  /** @param place null where originals can be kept nowhere */
  constructor(
    private readonly place: OriginalPlace | null,
    private readonly documents: Pick<DocumentStore, 'announceBlob' | 'forgetBlobs'>,
  ) {}

  /** Throws `DOCUMENTS_NOT_CONFIGURED`. */
  get bounds(): OriginalPlace['bounds'] {
    return this.require().bounds;
  }

  /**
   * Reads `bytes` to their end, and keeps them for a document that is still to come: until one refers to them they are on
   * the list of what is to be removed. Throws what `bytes` throws, and a fault of `field` where they are too many; then nothing
   * is left.
   */
  async keep(tenantId: string, bytes: AsyncIterable<Uint8Array>, field: string): Promise<Original> {
    const { blobs, bounds } = this.require();
    const blobKey = blobKeyOf(tenantId, randomUUID());
    await this.documents.announceBlob(tenantId, blobKey, ANNOUNCED_MS);
    try {
      const written = await blobs.write(blobKey, bytes, { mostBytes: bounds.mostDocumentBytes });
      if (written === TOO_LARGE) throw tooManyBytes(field, bounds.mostDocumentBytes);
      return { blobKey, ...written };
    } catch (error) {
      await this.drop({ blobKey });
      throw error;
    }
  }

  /** Null where it is gone. */
  open(blobKey: string): Promise<AsyncIterable<Uint8Array> | null> {
    return this.require().blobs.read(blobKey);
  }

  /** No document will refer to it. Where it cannot be removed now, it is when its time is over. */
  async drop({ blobKey }: Pick<Original, 'blobKey'>): Promise<void> {
    try {
      await this.require().blobs.remove(blobKey);
      await this.documents.forgetBlobs([blobKey]);
    } catch {
      // It is still on the list.
    }
  }

  private require(): OriginalPlace {
    if (this.place === null) throw documentsNotConfigured();
    return this.place;
  }
}
