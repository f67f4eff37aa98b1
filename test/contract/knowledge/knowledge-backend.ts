import type { DocumentStore, IngestionStore } from '#libs/knowledge';

/** Stores of documents and ingestions on the backend under test, with one datasource of the tenant `default`. */
export interface KnowledgeBackend {
  readonly documents: DocumentStore;
  readonly ingestions: IngestionStore;
  readonly datasourceId: number;
  /** Expires the lease, as if its holder had stopped renewing it. */
  endLease(ingestionId: string): Promise<void>;
  /** Makes every announced removal of a blob due now. */
  endAnnouncements(): Promise<void>;
  /** Number of the generation that searches read; null if there is none. */
  liveGeneration(documentId: string): Promise<number | null>;
  /** Texts of all chunks, in order of generation and place. */
  chunkTexts(documentId: string): Promise<readonly string[]>;
  countEmbeddings(): Promise<number>;
  /** Progress as clients see it: the number of chunks with a vector, and of all chunks. */
  progress(ingestionId: string): Promise<{ readonly done: number; readonly total: number | null }>;
  /** Code of the failure or of the reason for the delay of an ingestion, as clients see it. */
  errorCode(ingestionId: string): Promise<string | null>;
  /** Usage of an ingestion's embedding calls, in the order of the calls. */
  usage(ingestionId: string): Promise<readonly { call: number; state: string; tokens: number | null }[]>;
}
