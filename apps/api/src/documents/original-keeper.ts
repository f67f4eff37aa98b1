import { Inject, Injectable } from '@nestjs/common';
import type { AppConfig, KnowledgeConfig } from '#libs/config';
import type { Original } from '#libs/knowledge';
import { API_CONFIG } from '../api.tokens.js';
import { BlobKeeper, type ComingBlob } from '../uploads/blob-keeper.js';
import { documentsNotConfigured } from './documents.errors.js';

/** Storage and size limits for originals. */
interface OriginalPlace {
  readonly blobs: BlobKeeper;
  readonly bounds: Pick<KnowledgeConfig, 'mostDocumentBytes' | 'quota'>;
}

/** Stores originals of documents. */
@Injectable()
export class OriginalKeeper {
  /** Null if the operator has configured no storage for documents. */
  private readonly place: OriginalPlace | null;

  constructor(
    @Inject(BlobKeeper) blobs: BlobKeeper | null,
    @Inject(API_CONFIG) { knowledge }: Pick<AppConfig, 'knowledge'>,
  ) {
    this.place = blobs && knowledge && { blobs, bounds: knowledge };
  }

  /** Throws `DOCUMENTS_NOT_CONFIGURED`. */
  get bounds(): OriginalPlace['bounds'] {
    return this.require().bounds;
  }

  /** As {@link BlobKeeper.keep}. */
  keep(coming: Omit<ComingBlob, 'mostBytes'>): Promise<Original> {
    const { blobs, bounds } = this.require();
    return blobs.keep({ ...coming, mostBytes: bounds.mostDocumentBytes });
  }

  /** The bytes of the original; null once it is deleted. */
  open(blobKey: string): Promise<AsyncIterable<Uint8Array> | null> {
    return this.require().blobs.open(blobKey);
  }

  /** Deletes an original that no document refers to. */
  drop(original: Original): Promise<void> {
    return this.require().blobs.drop(original);
  }

  private require(): OriginalPlace {
    if (this.place === null) throw documentsNotConfigured();
    return this.place;
  }
}
