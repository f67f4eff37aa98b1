import type { DocumentWarning } from '../documents/document-warning.js';

/** Vectors are comparable only within one space: same server, model and dimension. */
export interface VectorSpace {
  readonly llmId: number;
  readonly embedModel: string;
  readonly dimensions: number;
}

/** A datasource with its vector space. */
export interface SearchedDatasource extends VectorSpace {
  readonly datasourceId: number;
}

/** Search scope: datasources of one tenant within one space. */
export interface SearchedSpace {
  readonly tenantId: string;
  readonly datasourceIds: readonly number[];
  readonly space: VectorSpace;
}

/** A chunk with its cosine similarity to the query, -1 to 1. */
export interface NearChunk {
  readonly chunkId: number;
  readonly similarity: number;
}

/** A search result: a chunk with its document. */
export interface FoundChunk {
  readonly chunkId: number;
  readonly datasourceId: number;
  readonly documentId: string;
  /** Title of the document. */
  readonly title: string;
  /** Enclosing headings, outermost first. */
  readonly headings: readonly string[];
  /** Page number, from 1; null if the document has no pages. */
  readonly page: number | null;
  readonly text: string;
  /** Position in the document, from 0. */
  readonly ordinal: number;
  /** Number of leading UTF-16 code units that repeat the end of the previous chunk. */
  readonly repeatedChars: number;
  /** Parts of the document that could not be indexed. */
  readonly warnings: readonly DocumentWarning[];
  /** SHA-256 of headings and text, 32 bytes; equal for duplicate chunks. */
  readonly contentHash: Buffer;
  /** Unit vector of 16-bit floats, little-endian. */
  readonly vector: Buffer;
}

/**
 * Semantic and full-text search over chunks. Only live generations are searched: removed or replaced chunks are
 * invisible to searches that begin after the removing transaction. Datasources of other tenants count as empty.
 */
export abstract class ChunkIndex {
  /** The tenant's datasources among these ids. */
  abstract datasources(
    tenantId: string,
    datasourceIds: readonly number[],
  ): Promise<readonly SearchedDatasource[]>;

  /**
   * Nearest chunks, best first, ties by id.
   *
   * @param vector unit vector with the dimensions of the space
   */
  abstract nearest(
    where: SearchedSpace,
    vector: Float32Array,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly NearChunk[]>;

  /** Chunks that share words with the question, best first, ties by id. Any question text is allowed. */
  abstract matching(
    tenantId: string,
    datasourceIds: readonly number[],
    question: string,
    limit: number,
  ): Promise<readonly number[]>;

  /** The live chunks among these ids, in any order. */
  abstract read(tenantId: string, chunkIds: readonly number[]): Promise<readonly FoundChunk[]>;
}
