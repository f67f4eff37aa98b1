import type { DocumentStore, IngestionStore } from '#libs/knowledge';

/** What the contract of documents and their ingestion is held against: one datasource of the tenant `default`. */
export interface KnowledgeBackend {
  readonly documents: DocumentStore;
  readonly ingestions: IngestionStore;
  readonly datasourceId: number;
  /** The holder was silent for too long. */
  endLease(ingestionId: string): Promise<void>;
  /** What was announced is due now. */
  endAnnouncements(): Promise<void>;
  /** The generation that is searched. */
  liveGeneration(documentId: string): Promise<number | null>;
  /** Texts of all chunks, in order of generation and place. */
  chunkTexts(documentId: string): Promise<readonly string[]>;
  countEmbeddings(): Promise<number>;
  /** How many chunks of an ingestion have their vector, as it is shown, and how many there are. */
  progress(ingestionId: string): Promise<{ readonly done: number; readonly total: number | null }>;
  /** The code of what an ingestion has failed with or was put off for, as it is shown. */
  errorCode(ingestionId: string): Promise<string | null>;
  /** Calls and tokens of the usage of an ingestion, in order. */
  usage(ingestionId: string): Promise<readonly { call: number; state: string; tokens: number | null }[]>;
}
