import type { KnowledgeQuota, OverQuota } from '../documents/quota.js';

/** A document's original in the blob store. */
export interface Original {
  readonly blobKey: string;
  readonly sizeBytes: number;
  /** SHA-256, 32 bytes. */
  readonly contentHash: Buffer;
}

/** Origin of a document's generation. */
export type DocumentSource =
  | {
      readonly source: 'upload' | 'text';
      readonly original: Original;
      readonly fileName: string | null;
      readonly mediaType: string | null;
    }
  /** Fetched later by the worker. */
  | { readonly source: 'url'; readonly url: string };

/** Idempotency key of a request, with the hash of its contents. */
export interface RequestKey {
  readonly key: string;
  /** Hexadecimal. */
  readonly requestSha256: string;
}

export interface NewDocument {
  /** UUID v7, like `ingestionId`. */
  readonly documentId: string;
  readonly ingestionId: string;
  readonly tenantId: string;
  readonly datasourceId: number;
  readonly title: string;
  readonly given: DocumentSource;
  readonly idempotency?: RequestKey | null;
}

export interface NewGeneration {
  readonly ingestionId: string;
  readonly tenantId: string;
  readonly documentId: string;
  /** Null keeps the current title. */
  readonly title: string | null;
  readonly given: DocumentSource;
  /** Versions of the document that may be replaced; null allows any. */
  readonly expected: readonly number[] | null;
}

export type DocumentAcceptance =
  | { readonly kind: 'accepted'; readonly generation: number; readonly version: number }
  /** The datasource or the document does not exist. */
  | { readonly kind: 'not_found' }
  | { readonly kind: 'other_version' }
  | { readonly kind: 'over_quota'; readonly bound: OverQuota };

/** Outcome for a new document, including idempotent repetition. */
export type NewDocumentAcceptance =
  | DocumentAcceptance
  /** An equal request with this key created this document within the last 24 hours, and it still exists. */
  | { readonly kind: 'repeated'; readonly id: string }
  /** A different request used this key before. */
  | { readonly kind: 'key_reused' };

/** Stores, replaces and removes documents of tenants. Each method is one transaction. */
export abstract class DocumentStore {
  /** Announces a blob before it is written, so that it is deleted unless a document takes it over within `forMs`. */
  abstract announceBlob(tenantId: string, blobKey: string, forMs: number): Promise<void>;

  /** Takes over the blob and makes the ingestion due. Of concurrent requests with the same key only one is accepted. */
  abstract accept(document: NewDocument, quota: KnowledgeQuota): Promise<NewDocumentAcceptance>;

  /**
   * Starts a new generation. The current one stays searchable until the new one is ready; an unfinished one is
   * cancelled, even while a worker processes it.
   */
  abstract replace(generation: NewGeneration, quota: KnowledgeQuota): Promise<DocumentAcceptance>;

  /**
   * Removes a document with its chunks, and with vectors that no other chunk of the tenant shares; schedules its blobs
   * for deletion. Writes of a worker that processes it are rejected afterwards.
   */
  abstract remove(
    tenantId: string,
    documentId: string,
    expected: readonly number[] | null,
  ): Promise<'removed' | 'not_found' | 'other_version'>;

  /** Blobs due for deletion. They stay listed until {@link forgetBlobs}. */
  abstract disposableBlobs(limit: number): Promise<readonly string[]>;

  abstract forgetBlobs(blobKeys: readonly string[]): Promise<void>;

  /** Postpones the deletion of listed blobs by `forMs`. */
  abstract putOffBlobs(blobKeys: readonly string[], forMs: number): Promise<void>;
}
