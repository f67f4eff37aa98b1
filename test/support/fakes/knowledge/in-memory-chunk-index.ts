import {
  ChunkIndex,
  toSearchedWords,
  type FoundChunk,
  type NearChunk,
  type SearchedDatasource,
  type SearchedSpace,
} from '#libs/knowledge';
import type { InMemoryKnowledge } from './in-memory-knowledge.js';

/** A search that reads every chunk. */
export class InMemoryChunkIndex extends ChunkIndex {
  constructor(private readonly knowledge: InMemoryKnowledge) {
    super();
  }

  override datasources(
    tenantId: string,
    datasourceIds: readonly number[],
  ): Promise<readonly SearchedDatasource[]> {
    return Promise.resolve(
      datasourceIds.flatMap((datasourceId) => {
        const kept = this.knowledge.datasources.get(datasourceId);
        if (kept?.tenantId !== tenantId) return [];
        const { llmId, embedModel, dimensions } = kept;
        return [{ datasourceId, llmId, embedModel, dimensions }];
      }),
    );
  }

  override nearest(
    { tenantId, datasourceIds }: SearchedSpace,
    vector: Float32Array,
    limit: number,
  ): Promise<readonly NearChunk[]> {
    const near = this.live(tenantId)
      .filter(({ datasourceId }) => datasourceIds.includes(datasourceId))
      .map((chunk) => ({
        chunkId: chunk.chunkId,
        similarity: cosineOf(vector, chunk.vector),
      }))
      .sort((a, b) => b.similarity - a.similarity || a.chunkId - b.chunkId);
    return Promise.resolve(near.slice(0, limit));
  }

  override matching(
    tenantId: string,
    datasourceIds: readonly number[],
    question: string,
    limit: number,
  ): Promise<readonly number[]> {
    const asked = new Set(wordsOf(question));
    const matching = this.live(tenantId)
      .filter(({ datasourceId }) => datasourceIds.includes(datasourceId))
      .map(({ chunkId, headings, text }) => {
        const words = new Set(wordsOf([...headings, text].join(' ')));
        return { chunkId, shared: [...asked].filter((word) => words.has(word)).length };
      })
      .filter(({ shared }) => shared > 0)
      .sort((a, b) => b.shared - a.shared || a.chunkId - b.chunkId);
    return Promise.resolve(matching.slice(0, limit).map(({ chunkId }) => chunkId));
  }

  override read(tenantId: string, chunkIds: readonly number[]): Promise<readonly FoundChunk[]> {
    return Promise.resolve(this.live(tenantId).filter(({ chunkId }) => chunkIds.includes(chunkId)));
  }

  private live(tenantId: string): readonly FoundChunk[] {
    return [...this.knowledge.ingestions.values()]
      .filter(
        ({ document, generation }) =>
          document.tenantId === tenantId && document.liveGeneration === generation,
      )
      .flatMap((kept) =>
        kept.chunks.map((chunk) => ({
          chunkId: chunk.id,
          ...{ datasourceId: kept.document.datasourceId, documentId: kept.document.id },
          ...{ title: kept.document.title, headings: chunk.headings, page: chunk.page, text: chunk.text },
          ...{ ordinal: chunk.ordinal, repeatedChars: chunk.repeatedChars, warnings: kept.warnings },
          contentHash: chunk.contentHash,
          vector: this.vectorOf(kept, chunk.contentHash),
        })),
      );
  }

  private vectorOf(kept: Parameters<InMemoryKnowledge['embeddingKey']>[0], contentHash: Buffer): Buffer {
    const vector = this.knowledge.embeddings.get(this.knowledge.embeddingKey(kept, contentHash));
    if (vector === undefined) throw new Error('a live chunk has no vector');
    return vector;
  }
}

function wordsOf(text: string): readonly string[] {
  return (
    toSearchedWords(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** The cosine similarity of a unit vector and a stored vector of 16-bit floats. */
function cosineOf(vector: Float32Array, kept: Uint8Array): number {
  const halves = new DataView(kept.buffer, kept.byteOffset, kept.byteLength);
  return vector.reduce((sum, value, index) => sum + value * halves.getFloat16(index * 2, true), 0);
}
