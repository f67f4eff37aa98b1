import type { DocumentWarning } from '../documents/document-warning.js';

/** Which vectors can be compared: those that one model of one server made, of one length. */
export interface VectorSpace {
  readonly llmId: number;
  readonly embedModel: string;
  readonly dimensions: number;
}

/** A datasource as it is searched. */
export interface SearchedDatasource extends VectorSpace {
  readonly datasourceId: number;
}

/** Where is looked: datasources of one tenant that share a space. */
export interface SearchedSpace {
  readonly tenantId: string;
  readonly datasourceIds: readonly number[];
  readonly space: VectorSpace;
}

/** A chunk with how near it is: the cosine of the angle between both vectors, -1 to 1. */
export interface NearChunk {
  readonly chunkId: number;
  readonly similarity: number;
}

/** A chunk as it is answered, with its document. */
export interface FoundChunk {
  readonly chunkId: number;
  readonly datasourceId: number;
  readonly documentId: string;
  /** Of the document. */
  readonly title: string;
  /** The headings that it stands under, outermost first. */
  readonly headings: readonly string[];
  /** From 1; null where the document has none. */
  readonly page: number | null;
  readonly text: string;
  /** Its place in the document, from 0. */
  readonly ordinal: number;
  /** So many characters (UTF-16) at its beginning are the end of the chunk before it. */
  readonly repeatedChars: number;
  /** Text of its document that no search finds. */
  readonly warnings: readonly DocumentWarning[];
  /** SHA-256 of headings and text, 32 bytes: what says the same has the same. */
  readonly contentHash: Buffer;
  /** Of unit length: 16-bit floats, little-endian. */
  readonly vector: Buffer;
}

/**
 * The chunks of tenants by meaning and by words. Only those of live generations are seen: what was removed or replaced is
 * answered by nothing that begins after its transaction. A datasource of another tenant is one without chunks.
 */
export abstract class ChunkIndex {
  /** Those of these datasources that the tenant has, by their ids. */
  abstract datasources(
    tenantId: string,
    datasourceIds: readonly number[],
  ): Promise<readonly SearchedDatasource[]>;

  /**
   * The chunks nearest to a vector, best first, those equally near by their ids.
   *
   * @param vector of unit length, of as many components as the space has
   */
  abstract nearest(
    where: SearchedSpace,
    vector: Float32Array,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly NearChunk[]>;

  /** The chunks that share words with a question, whatever that holds: best first, those equally good by their ids. */
  abstract matching(
    tenantId: string,
    datasourceIds: readonly number[],
    question: string,
    limit: number,
  ): Promise<readonly number[]>;

  /** Those of these chunks that are still live, in any order. */
  abstract read(tenantId: string, chunkIds: readonly number[]): Promise<readonly FoundChunk[]>;
}
