import { beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { toHalfVector } from '../chunks/half-vector.js';
import { embeddedText } from '../chunks/chunk.js';
import { InMemoryChunkIndex } from '../../../../test/support/fakes/knowledge/in-memory-chunk-index.js';
import { InMemoryKnowledge } from '../../../../test/support/fakes/knowledge/in-memory-knowledge.js';
import { Embedder, EmbeddingError, type Embeddings } from '../ports/embedder.js';
import { RetrievalError, type RetrievalQuery } from './retrieval.js';
import { RetrieveChunks } from './retrieve-chunks.js';

/** Components of the test vectors: how often a text names each subject. */
const SUBJECTS = ['river', 'stone', 'cloud'];
const vectorOf = (text: string): Float32Array =>
  Float32Array.from(SUBJECTS, (subject) => text.split(subject).length - 1 + 0.01);

class SubjectEmbedder extends Embedder {
  override readonly mostTexts = 10;
  readonly asked: string[] = [];
  answer: ((texts: readonly string[]) => Embeddings) | null = null;

  override embed(texts: readonly string[]): Promise<Embeddings> {
    this.asked.push(...texts);
    if (this.answer !== null) return Promise.resolve().then(() => this.answer?.(texts) as Embeddings);
    return Promise.resolve({ vectors: texts.map(vectorOf), inputTokens: 4, model: 'm-1' });
  }
}

let knowledge: InMemoryKnowledge;
let embedder: SubjectEmbedder;

beforeEach(() => {
  knowledge = new InMemoryKnowledge();
  embedder = new SubjectEmbedder();
  for (const [id, tenantId, embedModel] of [
    [1, 'acme', 'm'],
    [2, 'acme', 'm'],
    [3, 'acme', 'n'],
    [4, 'other', 'm'],
  ] as const)
    knowledge.datasources.set(id, {
      ...{ tenantId, llmId: 7, embedModel, dimensions: 3, chunkTokens: 10, overlapTokens: 0 },
    });
});

/** Publishes a live document with these chunks. */
function publish(datasourceId: number, ...texts: string[]): void {
  const id = `document-${knowledge.documents.size + 1}`;
  const tenantId = knowledge.datasources.get(datasourceId)?.tenantId ?? '';
  const live = { generation: 1, liveGeneration: 1, version: 1 };
  const document = { id, tenantId, datasourceId, title: `Title of ${id}`, ...live };
  knowledge.documents.set(id, document);
  knowledge.addGeneration(document, id, { source: 'url', url: 'https://x.test' });
  const kept = knowledge.ingestions.get(id);
  if (kept === undefined) throw new Error('not there');
  const chunks = texts.map((text, ordinal) => {
    const chunk = { ordinal, text, repeatedChars: 0, headings: [], page: null, tokens: 1 };
    return { ...chunk, contentHash: createHash('sha256').update(embeddedText(chunk)).digest() };
  });
  knowledge.keepChunks(kept, chunks);
  for (const { text, contentHash } of chunks) {
    const vector = toHalfVector(vectorOf(text));
    if (vector !== null) knowledge.embeddings.set(knowledge.embeddingKey(kept, contentHash), vector);
  }
}

function retrieve(overrides: Partial<RetrievalQuery> = {}, signal = new AbortController().signal) {
  const terms = { topK: 5, scoreThreshold: 0, mode: 'UNION', dedup: 'NONE', embedModel: null } as const;
  const query = { tenantId: 'acme', datasourceIds: [1], question: 'river', ...terms, ...overrides };
  const serviceOf = () => Promise.resolve({ embedder, costOf: (tokens: number) => `0.${tokens}` });
  return new RetrieveChunks({ index: new InMemoryChunkIndex(knowledge), serviceOf }).retrieve(query, signal);
}

const faultOf = async (overrides: Partial<RetrievalQuery>): Promise<RetrievalError> => {
  const error: unknown = await retrieve(overrides).catch((caught: unknown) => caught);
  if (error instanceof RetrievalError) return error;
  throw new Error('expected a refusal');
};

describe('retrieving chunks', () => {
  it('the nearest first, with where they are from', async () => {
    publish(1, 'a stone', 'a river', 'river and stone');
    const { hits, totalCandidates, datasources, calls } = await retrieve();
    expect(hits.map(({ text, rank }) => [text, rank])).toEqual([
      ['a river', 1],
      ['river and stone', 2],
      ['a stone', 3],
    ]);
    expect(hits[0]).toMatchObject({
      datasourceId: 1,
      documentId: 'document-1',
      title: 'Title of document-1',
    });
    expect(hits[0]).not.toHaveProperty('vector');
    expect({ totalCandidates, datasources }).toEqual({ totalCandidates: 3, datasources: [1] });
    expect(calls).toEqual([{ call: 1, state: 'known', model: 'm-1', inputTokens: 4, costUsd: '0.4' }]);
  });

  it('words that are shared bring a chunk up', async () => {
    publish(1, 'a river', 'river, says Erasmus', 'cloud');
    expect((await retrieve({ question: 'rivers of Erasmus' })).hits[0]?.text).toBe('river, says Erasmus');
  });

  it('a datasource that is named twice is searched once, and one that is not named is not', async () => {
    publish(1, 'a river');
    publish(2, 'another river');
    publish(4, 'a river of another tenant');
    const { hits, datasources } = await retrieve({ datasourceIds: [2, 2] });
    expect(hits.map(({ text }) => text)).toEqual(['another river']);
    expect(datasources).toEqual([2]);
  });

  it('each space is asked for once', async () => {
    publish(1, 'a river');
    publish(2, 'a river');
    publish(3, 'a river');
    const { calls, hits } = await retrieve({ datasourceIds: [3, 2, 1] });
    expect(calls.map(({ call }) => call)).toEqual([1, 2]);
    expect(hits).toHaveLength(3);
  });

  it.each([
    ['UNION' as const, ['river', 'river river', 'river cloud']],
    ['MERGE_RANK' as const, ['river', 'river cloud', 'river river']],
  ])('%s', async (mode, expected) => {
    publish(1, 'river', 'river river');
    publish(2, 'river cloud');
    const { hits } = await retrieve({ datasourceIds: [1, 2], mode });
    expect(hits.map(({ text }) => text)).toEqual(expected);
  });

  it('copies do not keep others out, however many there are', async () => {
    publish(1, ...Array.from({ length: 120 }, () => 'river'), 'river and cloud');
    const { hits } = await retrieve({ dedup: 'HASH_EXACT', topK: 2 });
    expect(hits.map(({ text }) => text)).toEqual(['river', 'river and cloud']);
    expect((await retrieve({ topK: 2 })).hits.map(({ text }) => text)).toEqual(['river', 'river']);
  });

  it('a score below the threshold ends the search', async () => {
    publish(1, 'river', 'cloud', 'stone');
    const { hits, totalCandidates } = await retrieve({ scoreThreshold: 0.9 });
    expect(hits.map(({ text }) => text)).toEqual(['river']);
    expect(totalCandidates).toBe(3);
  });

  it('a blank question finds nothing and calls no model', async () => {
    publish(1, 'a river');
    expect(await retrieve({ question: ' \n' })).toEqual({
      ...{ hits: [], totalCandidates: 0, datasources: [1], calls: [] },
    });
    expect(embedder.asked).toEqual([]);
  });

  it('only the beginning of a long question counts, and no half of a sign is sent', async () => {
    await retrieve({ question: `${'x'.repeat(7_999)}😀 and so on` });
    expect(embedder.asked[0]).toBe(`${'x'.repeat(7_999)}\ufffd`);
  });

  it.each([
    [
      'a datasource that is not there',
      { datasourceIds: [1, 9] },
      'datasource_gone',
      'There is no datasource 9.',
    ],
    ['one of another tenant', { datasourceIds: [4] }, 'datasource_gone', 'There is no datasource 4.'],
    ['one of another model', { datasourceIds: [1, 3], embedModel: 'm' }, 'other_model', '`n`, not of `m`'],
  ])('%s is refused before any model call', async (_what, overrides, fault, text) => {
    const error = await faultOf(overrides);
    expect(error).toMatchObject({ fault, isPassing: false, calls: [] });
    expect(error.message).toContain(text);
    expect(embedder.asked).toEqual([]);
  });

  it.each([
    ['passing', true, 3],
    ['not passing', false, null],
  ])('a call that fails, %s, is accounted for', async (_what, isPassing, inputTokens) => {
    embedder.answer = () => {
      throw new EmbeddingError('x', 'The server is busy.', isPassing, 500, inputTokens);
    };
    expect(await faultOf({})).toMatchObject({
      ...{ fault: 'embedding_failed', message: 'The server is busy.', isPassing, retryAfterMs: 500 },
      calls: [{ call: 1, state: 'failed', model: 'm', inputTokens }],
    });
  });

  it.each([
    ['no vector', []],
    ['two', [vectorOf('river'), vectorOf('river')]],
    ['one of another length', [Float32Array.of(1, 2)]],
    ['one without a direction', [Float32Array.of(0, 0, 0)]],
  ])('a model that answers %s is refused, and paid', async (_what, vectors) => {
    embedder.answer = () => ({ vectors, inputTokens: 4, model: 'm-1' });
    expect(await faultOf({})).toMatchObject({
      ...{ fault: 'embedding_failed', isPassing: false },
      calls: [{ call: 1, state: 'known', inputTokens: 4, costUsd: '0.4' }],
    });
  });
});
