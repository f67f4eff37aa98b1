import type { Chunk } from '../chunks/chunk.js';
import type { DocumentKind } from '../documents/document-kind.js';
import type { DocumentWarning } from '../documents/document-warning.js';
import type { IngestionState } from '../documents/ingestion-state.js';
import type { KnowledgeQuota, OverQuota } from '../documents/quota.js';
import type { Original } from './document-store.js';

/** How the datasource makes chunks and vectors, as it said when the generation was claimed. */
export interface IngestionSettings {
  readonly llmId: number;
  readonly embedModel: string;
  readonly dimensions: number;
  readonly chunkTokens: number;
  readonly overlapTokens: number;
}

/** What every write of a worker is fenced by. */
export interface IngestionFence {
  readonly ingestionId: string;
  /** Random: names this claim and no other. */
  readonly token: string;
}

export interface ClaimedIngestion extends IngestionFence {
  readonly tenantId: string;
  readonly datasourceId: number;
  readonly documentId: string;
  readonly generation: number;
  readonly title: string;
  readonly state: IngestionState;
  /** Null until it is fetched. */
  readonly original: Original | null;
  readonly url: string | null;
  readonly fileName: string | null;
  readonly mediaType: string | null;
  /** Failures in a row that may pass. */
  readonly tries: number;
  /** Claims in a row, this one left out, whose worker was lost before a step was done or a call had brought anything. */
  readonly losses: number;
  readonly settings: IngestionSettings;
}

/** A chunk with the SHA-256 of what its vector is made of. */
export interface HashedChunk extends Chunk {
  readonly contentHash: Buffer;
}

/** A text that has no vector yet. */
export interface UnembeddedText {
  readonly contentHash: Buffer;
  readonly headings: readonly string[];
  readonly text: string;
  readonly tokens: number;
}

/** A text with its vector: 16-bit floats, little-endian. */
export interface EmbeddedText {
  readonly contentHash: Buffer;
  readonly vector: Buffer;
}

/** Tokens of a call for vectors, and what they cost. */
export interface EmbeddingUsage {
  /** Numbers the calls of one ingestion, from 1. */
  readonly call: number;
  readonly state: 'known' | 'failed' | 'unknown';
  readonly model: string;
  /** Null where nobody knows. */
  readonly inputTokens: number | null;
  /** Exact decimal text; null where it cannot be said. */
  readonly costUsd: string | null;
}

/** What has gone wrong and may pass. */
export interface Setback {
  readonly code: string;
  /** For people: no exception text, no secret. */
  readonly text: string;
  /** Whether it counts as a failure of the document; an outage does not. */
  readonly isTry: boolean;
}

/** `lost`: somebody else holds it, or the document is gone or replaced. Nothing was written. */
export type Fenced = 'written' | 'lost';

export interface DueIngestion {
  readonly ingestionId: string;
}

export interface IngestionDispatchOptions {
  /** Jobs that may wait and run together. */
  readonly queueTarget: number;
  /** Of one tenant. */
  readonly tenantTarget: number;
  /** A job that nobody claimed for so long is taken for lost and sent again. */
  readonly redispatchAfterMs: number;
}

/**
 * Generations of documents on their way: who works at them, and how far they have come. All that a worker writes is fenced
 * by the token of its claim, so that it may come late and more than once.
 */
export abstract class IngestionStore {
  /** Marks what is due as sent to the queue, fairly over tenants, and answers it. */
  abstract take(options: IngestionDispatchOptions): Promise<readonly DueIngestion[]>;

  /** Their jobs could not be sent. */
  abstract requeue(due: readonly DueIngestion[]): Promise<void>;

  /** Null where there is nothing to do now: finished, gone, replaced, not due, or held by a living worker. */
  abstract claim(ingestionId: string, token: string, leaseMs: number): Promise<ClaimedIngestion | null>;

  abstract renew(fence: IngestionFence, leaseMs: number): Promise<Fenced>;

  /** A step begins. */
  abstract begin(
    fence: IngestionFence,
    state: 'fetching' | 'parsing' | 'chunking' | 'indexing',
  ): Promise<Fenced>;

  /** The original is kept; its blob is taken over. */
  abstract keepOriginal(
    fence: IngestionFence,
    fetched: {
      readonly original: Original;
      readonly mediaType: string | null;
      readonly fileName: string | null;
    },
    quota: KnowledgeQuota,
  ): Promise<Fenced | { readonly overQuota: OverQuota }>;

  /** Chunks of an earlier attempt at this step are gone; it begins anew. */
  abstract beginChunks(fence: IngestionFence, kind: DocumentKind): Promise<Fenced>;

  abstract addChunks(
    fence: IngestionFence,
    chunks: readonly HashedChunk[],
    quota: KnowledgeQuota,
  ): Promise<Fenced | { readonly overQuota: OverQuota }>;

  /** All chunks are there, and it is known which text has none: from now on vectors are made. */
  abstract endChunks(fence: IngestionFence, warnings: readonly DocumentWarning[]): Promise<Fenced>;

  /** Texts of the generation that have no vector for the datasource's model, each once, in the order of the document. */
  abstract findUnembedded(fence: IngestionFence, limit: number): Promise<readonly UnembeddedText[]>;

  /**
   * A call for vectors begins: until it is ended, nobody can say what it has cost, whoever is lost and whatever becomes of
   * the document. Answers its number; null: lost.
   */
  abstract beginCall(fence: IngestionFence): Promise<number | null>;

  /**
   * What a call has brought and cost, together; nothing of it is embedded again. Progress is counted afresh. Where the claim
   * is lost, what it has cost is written all the same, and nothing else.
   */
  abstract endCall(
    fence: IngestionFence,
    usage: EmbeddingUsage,
    embedded: readonly EmbeddedText[],
  ): Promise<Fenced>;

  /**
   * The generation is searched from now on instead of the one before, whose chunks and blob go, all in one transaction.
   * `incomplete`: vectors are missing, since another document that shared them is gone.
   */
  abstract publish(fence: IngestionFence): Promise<Fenced | 'incomplete'>;

  /** An ending that nothing but a replacement changes. `text` is for people: no exception text, no secret. */
  abstract fail(
    fence: IngestionFence,
    error: { readonly code: string; readonly text: string },
  ): Promise<Fenced>;

  /**
   * Due again after `delayMs`.
   *
   * @param setback stays to be seen until something succeeds; null leaves what is seen
   */
  abstract putOff(fence: IngestionFence, delayMs: number, setback: Setback | null): Promise<Fenced>;
}
