export { embeddedText, type Chunk, type ChunkLimits } from './chunks/chunk.js';
export { fromHalfVector } from './chunks/half-vector.js';
export { toSearchedWords } from './chunks/searched-words.js';
export type { ParsedBlock } from './chunks/parsed-block.js';
export type { DocumentKind } from './documents/document-kind.js';
export {
  DocumentWarnings,
  type DocumentWarning,
  type DocumentWarningCode,
} from './documents/document-warning.js';
export { MAX_HEADING_CHARS } from './chunks/heading-path.js';
export { mergeNeighbours } from './retrieve/merge-neighbours.js';
export { rowText } from './chunks/row-text.js';
export { INGESTION_STATES, type IngestionState, type IngestionStep } from './documents/ingestion-state.js';
export { findOverQuota, type KnowledgeQuota, type KnowledgeUse, type OverQuota } from './documents/quota.js';
export type { EmbeddingService } from './ingest/embed-texts.js';
export { IngestDocument, type IngestDocumentDependencies } from './ingest/ingest-document.js';
export { errorOfFault } from './ingest/ingestion-error.js';
export { INGESTION_JOBS } from './ingest/ingestion-jobs.js';
export {
  BlobStore,
  blobKeyOf,
  BlobStoreUnavailableError,
  TOO_LARGE,
  type WrittenBlob,
} from './ports/blob-store.js';
export {
  ChunkIndex,
  type FoundChunk,
  type NearChunk,
  type SearchedDatasource,
  type SearchedSpace,
  type VectorSpace,
} from './ports/chunk-index.js';
export { CallAccounts, type CallEnding } from './ports/call-accounts.js';
export { DocumentFetcher, FetchDocumentError, type FetchedDocument } from './ports/document-fetcher.js';
export {
  DocumentParser,
  ReaderLostError,
  UnreadableDocumentError,
  type DocumentFault,
  type DocumentHints,
  type ParsedDocument,
} from './ports/document-parser.js';
export {
  DocumentStore,
  type DocumentAcceptance,
  type DocumentSource,
  type NewDocument,
  type NewDocumentAcceptance,
  type NewGeneration,
  type Original,
  type RequestKey,
} from './ports/document-store.js';
export { Embedder, EmbeddingError, type Embeddings } from './ports/embedder.js';
export {
  IngestionStore,
  type ClaimedIngestion,
  type DueIngestion,
  type EmbeddedText,
  type EmbeddingUsage,
  type Fenced,
  type HashedChunk,
  type IngestionDispatchOptions,
  type IngestionFence,
  type IngestionSettings,
  type Setback,
  type UnembeddedText,
} from './ports/ingestion-store.js';
export type { CountTokens } from './ports/token-counter.js';
export { AccountedEmbedder } from './retrieve/accounted-embedder.js';
export { NearestHalves, type VectorBlock } from './retrieve/nearest-halves.js';
export type { ServiceOfSpace } from './retrieve/question-vectors.js';
export {
  RetrievalError,
  type DedupStrategy,
  type Retrieval,
  type RetrievalFault,
  type RetrievalHit,
  type RetrievalMode,
  type RetrievalQuery,
} from './retrieve/retrieval.js';
export { RetrieveChunks, type RetrieveChunksDependencies } from './retrieve/retrieve-chunks.js';
