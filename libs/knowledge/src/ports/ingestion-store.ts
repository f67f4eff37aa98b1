import type { Chunk } from '../chunks/chunk.js';
import type { DocumentKind } from '../documents/document-kind.js';
import type { DocumentWarning } from '../documents/document-warning.js';
import type { IngestionState } from '../documents/ingestion-state.js';
import type { KnowledgeQuota, OverQuota } from '../documents/quota.js';
import type { Original } from './document-store.js';

/** Chunking and embedding settings of the datasource, as of the claim. */
export interface IngestionSettings {
  readonly llmId: number;
  readonly embedModel: string;
  readonly dimensions: number;
  readonly chunkTokens: number;
  readonly overlapTokens: number;
}

/** Fence of all writes of a worker. */
export interface IngestionFence {
  readonly ingestionId: string;
  /** Random and unique to this claim. */
  readonly token: string;
}

export interface ClaimedIngestion extends IngestionFence {
  readonly tenantId: string;
  readonly datasourceId: number;
  readonly documentId: string;
  readonly generation: number;
  readonly title: string;
  readonly state: IngestionState;
  /** Null until the document is fetched. */
  readonly original: Original | null;
  readonly url: string | null;
  readonly fileName: string | null;
  readonly mediaType: string | null;
  /** Consecutive transient failures. */
  readonly tries: number;
  /** Consecutive earlier claims that were lost before any progress. */
  readonly losses: number;
  readonly settings: IngestionSettings;
}

/** A chunk with the SHA-256 of its embedded text. */
export interface HashedChunk extends Chunk {
  readonly contentHash: Buffer;
}

/** A text without a vector. */
export interface UnembeddedText {
  readonly contentHash: Buffer;
  readonly headings: readonly string[];
  readonly text: string;
  readonly tokens: number;
}

/** A text with its vector of 16-bit floats, little-endian. */
export interface EmbeddedText {
  readonly contentHash: Buffer;
  readonly vector: Buffer;
}

/** Token usage and cost of an embedding call. */
export interface EmbeddingUsage {
  /** Number of the call within its ingestion, from 1. */
  readonly call: number;
  readonly state: 'known' | 'failed' | 'unknown';
  readonly model: string;
  /** Null if unknown. */
  readonly inputTokens: number | null;
  /** US dollars as exact decimal text; null if unknown. */
  readonly costUsd: string | null;
}

/** A transient failure. */
export interface Setback {
  readonly code: string;
  /** Text for people, without exception text or secrets. */
  readonly text: string;
  /** True if it counts as a failure of the document; false for an outage. */
  readonly isTry: boolean;
}

/** `lost`: another worker holds the claim, or the document was removed or replaced; nothing was written. */
export type Fenced = 'written' | 'lost';

export interface DueIngestion {
  readonly ingestionId: string;
}

export interface IngestionDispatchOptions {
  /** Maximum jobs waiting and running, in total. */
  readonly queueTarget: number;
  /** Maximum jobs waiting and running per tenant. */
  readonly tenantTarget: number;
  /** Milliseconds after which an unclaimed job counts as lost and is dispatched again. */
  readonly redispatchAfterMs: number;
}

/**
 * Claims and progress of ingestions. All writes of a worker are fenced by its claim's token, so late or duplicate
 * writes have no effect.
 */
export abstract class IngestionStore {
  /** Marks due ingestions as dispatched, fairly across tenants, and returns them. */
  abstract take(options: IngestionDispatchOptions): Promise<readonly DueIngestion[]>;

  /** Undoes `take` for ingestions that could not be dispatched. */
  abstract requeue(due: readonly DueIngestion[]): Promise<void>;

  /** Null if there is nothing to do: finished, removed, replaced, not due, or claimed by a live worker. */
  abstract claim(ingestionId: string, token: string, leaseMs: number): Promise<ClaimedIngestion | null>;

  abstract renew(fence: IngestionFence, leaseMs: number): Promise<Fenced>;

  /** Records the start of a step. */
  abstract begin(
    fence: IngestionFence,
    state: 'fetching' | 'parsing' | 'chunking' | 'indexing',
  ): Promise<Fenced>;

  /** Records the original and takes over its blob. */
  abstract keepOriginal(
    fence: IngestionFence,
    fetched: {
      readonly original: Original;
      readonly mediaType: string | null;
      readonly fileName: string | null;
    },
    quota: KnowledgeQuota,
  ): Promise<Fenced | { readonly overQuota: OverQuota }>;

  /** Deletes chunks of an earlier attempt at this step. */
  abstract beginChunks(fence: IngestionFence, kind: DocumentKind): Promise<Fenced>;

  abstract addChunks(
    fence: IngestionFence,
    chunks: readonly HashedChunk[],
    quota: KnowledgeQuota,
  ): Promise<Fenced | { readonly overQuota: OverQuota }>;

  /** Completes chunking: determines the texts without vectors, so that embedding can begin. */
  abstract endChunks(fence: IngestionFence, warnings: readonly DocumentWarning[]): Promise<Fenced>;

  /** Distinct texts without a vector of the datasource's model, in document order. */
  abstract findUnembedded(fence: IngestionFence, limit: number): Promise<readonly UnembeddedText[]>;

  /**
   * Announces an embedding call and returns its number; null if the claim is lost. The cost counts as unknown until
   * `endCall`, also if the worker crashes or the document is removed.
   */
  abstract beginCall(fence: IngestionFence): Promise<number | null>;

  /**
   * Records vectors and cost of a call in one transaction; any vector resets `tries` and `losses`. If the claim is
   * lost, only the cost is recorded.
   */
  abstract endCall(
    fence: IngestionFence,
    usage: EmbeddingUsage,
    embedded: readonly EmbeddedText[],
  ): Promise<Fenced>;

  /**
   * Makes this generation searchable in place of the previous one, and deletes that one's chunks and blob, in one
   * transaction. `incomplete`: vectors are missing, because a document that shared them was removed.
   */
  abstract publish(fence: IngestionFence): Promise<Fenced | 'incomplete'>;

  /** Fails the generation; only a replacement changes this. `text` is for people, without exception text or secrets. */
  abstract fail(
    fence: IngestionFence,
    error: { readonly code: string; readonly text: string },
  ): Promise<Fenced>;

  /**
   * Makes the ingestion due again after `delayMs`.
   *
   * @param setback shown until the next success; null keeps the current one
   */
  abstract putOff(fence: IngestionFence, delayMs: number, setback: Setback | null): Promise<Fenced>;
}
