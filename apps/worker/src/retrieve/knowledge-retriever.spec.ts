import { describe, expect, it } from '@jest/globals';
import type { RetrievalQuery } from '#libs/executions';
import {
  ChunkIndex,
  Embedder,
  EmbeddingError,
  type CallEnding,
  type Embeddings,
  type FoundChunk,
  type NearChunk,
  type SearchedDatasource,
} from '#libs/knowledge';
import type { AskingScope } from '#libs/persistence';
import { AccountedRetrieval } from './accounted-retrieval.js';
import { KnowledgeRetriever } from './knowledge-retriever.js';

/** Unit vector as 16-bit floats. */
const ALONG = Buffer.from([0x00, 0x3c, 0x00, 0x00]);
const CHUNK: FoundChunk = {
  ...{ chunkId: 41, datasourceId: 3, documentId: 'd-1', title: 'Handbook', headings: ['Parcels'] },
  ...{ page: 2, text: 'Parcels go out at noon.', contentHash: Buffer.alloc(32), vector: ALONG },
  ...{ ordinal: 0, repeatedChars: 0, warnings: [] },
};

class FewChunks extends ChunkIndex {
  constructor(private readonly chunks: readonly FoundChunk[]) {
    super();
  }
  override datasources(tenantId: string, ids: readonly number[]): Promise<readonly SearchedDatasource[]> {
    const mine = tenantId === 'acme' && ids.includes(3);
    return Promise.resolve(mine ? [{ datasourceId: 3, llmId: 1, embedModel: 'm', dimensions: 2 }] : []);
  }
  override nearest(): Promise<readonly NearChunk[]> {
    return Promise.resolve(this.chunks.map(({ chunkId }) => ({ chunkId, similarity: 1 })));
  }
  override matching(): Promise<readonly number[]> {
    return Promise.resolve([]);
  }
  override read(): Promise<readonly FoundChunk[]> {
    return Promise.resolve(this.chunks);
  }
}

function aWorld(answer: () => Promise<Embeddings>, chunks: readonly FoundChunk[] = [CHUNK]) {
  const log: unknown[] = [];
  class Asked extends Embedder {
    override readonly mostTexts = 1;
    override embed(texts: readonly string[]): Promise<Embeddings> {
      log.push(['asked', ...texts]);
      return answer();
    }
  }
  const retrieval = new AccountedRetrieval({
    index: new FewChunks(chunks),
    serviceOf: () => Promise.resolve({ embedder: new Asked(), costOf: () => '0.1' }),
    accountsOf: (asking: AskingScope) => ({
      open: (model: string) => {
        log.push(['open', asking.executionId, asking.scope, model]);
        return Promise.resolve(1);
      },
      close: (_call: number, { state }: CallEnding) => {
        log.push(['close', state]);
        return Promise.resolve();
      },
    }),
  });
  const retriever = new KnowledgeRetriever(retrieval, (tenantId) => {
    log.push(['counted', tenantId]);
    return Promise.resolve(1_000);
  });
  const retrieve = (more: Partial<RetrievalQuery['parameters']> = {}) =>
    retriever.retrieve(
      {
        ...{ tenantId: 'acme', executionId: 'e', scope: '2.1', question: 'When?' },
        parameters: {
          ...{ datasource_ids: [3], top_k: 5, score_threshold: 0, embed_model: null },
          ...{ retrieval_mode: 'UNION', dedup_strategy: 'NONE', chunk_merge: false },
          ...more,
        },
      },
      new AbortController().signal,
    );
  return { log, retrieve };
}

const found = () => Promise.resolve({ vectors: [Float32Array.of(1, 0)], inputTokens: 2, model: 'm' });

describe('looking through documents of a tenant', () => {
  it('answers passages as they are cited, and keeps account of the call for the vector of the question', async () => {
    const { log, retrieve } = aWorld(found);
    expect(await retrieve()).toEqual({
      passages: [
        {
          ...{ datasource_id: 3, document_id: 'd-1', chunk_id: 41, title: 'Handbook', page: 2 },
          ...{ text: 'Parcels go out at noon.', score: 1, rank: 1 },
        },
      ],
      datasources: 1,
      totalCandidates: 1,
    });
    expect(log).toEqual([
      ['counted', 'acme'],
      ['open', 'e', '2.1', 'm'],
      ['asked', 'When?'],
      ['close', 'known'],
    ]);
  });

  it.each([
    [false, ['Parcels go out at noon.', 'noon. Boxes are blue.']],
    [true, ['Parcels go out at noon. Boxes are blue.']],
  ])('joins chunks that stand side by side where it is asked to: %s (S3-7)', async (chunk_merge, texts) => {
    const next = { ...CHUNK, chunkId: 42, ordinal: 1, repeatedChars: 5, text: 'noon. Boxes are blue.' };
    const { passages } = await aWorld(found, [CHUNK, next]).retrieve({ chunk_merge });
    expect(passages.map(({ text }) => text)).toEqual(texts);
  });

  it.each([
    ['a datasource that is gone', { datasource_ids: [3, 9] }, 'There is no datasource 9.'],
    ['vectors of another model', { embed_model: 'n' }, /of `m`, not of `n`/],
  ])('fails for good, without a call, where there is %s', async (_what, parameters, message) => {
    const { log, retrieve } = aWorld(found);
    const failure = retrieve(parameters);
    await expect(failure).rejects.toMatchObject({ code: 'VALIDATION_ERROR', retryable: false });
    await expect(failure).rejects.toThrow(message);
    expect(log).toEqual([]);
  });

  it.each([
    [true, { kind: 'unavailable', retryable: true }],
    [false, { kind: 'unprocessable', retryable: false }],
  ])('says whether it may pass where there is no vector: %s', async (isPassing, failure) => {
    const { log, retrieve } = aWorld(() =>
      Promise.reject(new EmbeddingError('busy', 'The server is busy.', isPassing)),
    );
    await expect(retrieve()).rejects.toMatchObject({
      ...{ code: 'RETRIEVAL_FAILED', message: 'The server is busy.' },
      ...failure,
    });
    expect(log.at(-1)).toEqual(['close', 'failed']);
  });
});
