import type { KnowledgeQuota, OverQuota } from '../documents/quota.js';

/** An original that is kept under a key of the blob store. */
export interface Original {
  readonly blobKey: string;
  readonly sizeBytes: number;
  /** SHA-256, 32 bytes. */
  readonly contentHash: Buffer;
}

/** What a generation of a document is made of. */
export type DocumentSource =
  | {
      readonly source: 'upload' | 'text';
      readonly original: Original;
      readonly fileName: string | null;
      readonly mediaType: string | null;
    }
  /** Fetched by the worker. */
  | { readonly source: 'url'; readonly url: string };

/** What a client names a request by, so that it may be repeated, and what the request said. */
export interface RequestKey {
  readonly key: string;
  /** In hexadecimal. */
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
  /** Null leaves it as it is. */
  readonly title: string | null;
  readonly given: DocumentSource;
  /** Versions of the document that may be replaced; null means any. */
  readonly expected: readonly number[] | null;
}

export type DocumentAcceptance =
  | { readonly kind: 'accepted'; readonly generation: number; readonly version: number }
  /** The datasource or the document. */
  | { readonly kind: 'not_found' }
  | { readonly kind: 'other_version' }
  | { readonly kind: 'over_quota'; readonly bound: OverQuota };

/** Of a new one: it may have been there before. */
export type NewDocumentAcceptance =
  | DocumentAcceptance
  /** The same request came before under its key, in the last 24 hours, and made this document, which is still there. */
  | { readonly kind: 'repeated'; readonly id: string }
  /** Another request came before under its key. */
  | { readonly kind: 'key_reused' };

/** The documents of tenants: what is taken in, replaced and removed. Everything is one transaction. */
export abstract class DocumentStore {
  /**
   * Says that a blob is about to be written that nobody refers to yet: unless a document takes it over within `forMs`, it is
   * to be removed.
   */
  abstract announceBlob(tenantId: string, blobKey: string, forMs: number): Promise<void>;

  /** Takes over the blob of the original and makes the ingestion due. Of two under one key at once only one is taken in. */
  abstract accept(document: NewDocument, quota: KnowledgeQuota): Promise<NewDocumentAcceptance>;

  /**
   * Begins a new generation, which is searched as soon as it is ready; the one that is searched stays until then. One that
   * is not ready yet is given up, whoever works at it.
   */
  abstract replace(generation: NewGeneration, quota: KnowledgeQuota): Promise<DocumentAcceptance>;

  /**
   * Removes it with its chunks and with the vectors that no other chunk of the tenant shares; its blobs are to be removed.
   * Whoever works at it can write nothing more.
   */
  abstract remove(
    tenantId: string,
    documentId: string,
    expected: readonly number[] | null,
  ): Promise<'removed' | 'not_found' | 'other_version'>;

  /** Blobs that are to be removed now. They stay on the list until {@link forgetBlobs}. */
  abstract disposableBlobs(limit: number): Promise<readonly string[]>;

  abstract forgetBlobs(blobKeys: readonly string[]): Promise<void>;

  /** Those of them that are on the list are to be removed after `forMs`, and not before. */
  abstract putOffBlobs(blobKeys: readonly string[], forMs: number): Promise<void>;
}
