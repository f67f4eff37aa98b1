import type { Mutant } from './mutant.js';

const PGVECTOR = 'test/contract/knowledge/pgvector.spec.ts';
const RECALL = 'test/contract/knowledge/pgvector-recall.spec.ts';
const INDEX = 'libs/persistence/src/vectors/pgvector-chunk-index.ts';
const SQL = 'libs/persistence/src/vectors/vector-index-sql.ts';

/** Search with pgvector: complete, with exact similarities, and by the index. */
export const VECTOR_MUTANTS: readonly Mutant[] = [
  {
    row: 'vectors',
    file: INDEX,
    find: 'return merge([...scanned, ...beside.nearest], limit);',
    replace: 'return merge(beside.nearest.length < 0 ? beside.nearest : scanned, limit);',
    spec: PGVECTOR,
    why: 'a document that is ready is not found until somebody has indexed it',
  },
  {
    row: 'vectors',
    file: INDEX,
    find: 'if (scanned.length < Math.min(limit, sizes.chunks - behind.length)) return null;',
    replace: '',
    spec: RECALL,
    why: 'where the documents of one tenant lie elsewhere than those of others, nothing of them is found',
  },
  {
    row: 'vectors',
    file: INDEX,
    find: '.sort((a, b) => b.similarity - a.similarity || a.chunkId - b.chunkId)',
    replace: '.sort((a, b) => b.similarity - a.similarity || b.chunkId - a.chunkId)',
    spec: PGVECTOR,
    why: 'the same question finds other chunks with an index than without',
  },
  {
    row: 'vectors',
    file: SQL,
    find: "set_config('hnsw.iterative_scan', 'relaxed_order', true)",
    replace: "set_config('hnsw.iterative_scan', 'off', true)",
    spec: RECALL,
    why: 'a filter leaves fewer chunks than are asked for, and everything is compared after all',
  },
  {
    row: 'vectors',
    file: 'libs/persistence/src/vectors/halfvec-text.ts',
    find: 'halves.getFloat16(at * 2, true)',
    replace: 'halves.getFloat16((at ^ 1) * 2, true)',
    spec: RECALL,
    why: 'the index holds other vectors than were made',
  },
  {
    row: 'vectors',
    file: 'libs/persistence/src/vectors/choose-search.ts',
    find: '* Math.max(vectors, chunks)) / chunks',
    replace: '* chunks) / chunks',
    spec: 'libs/persistence/src/vectors/choose-search.spec.ts',
    why: 'an index that has mostly vectors of others is looked through in vain',
  },
  {
    row: 'vectors',
    file: 'libs/persistence/src/vectors/vector-index-table.ts',
    find: 'minor >= leastMinor',
    replace: 'minor > leastMinor',
    spec: 'libs/persistence/src/vectors/vector-index-table.spec.ts',
    why: 'a version of the extension that would do is left unused',
  },
  {
    row: 'vectors',
    file: 'libs/persistence/src/knowledge/ingestion.store.ts',
    find: "return toSearchedWords(toStorableText(texts.join(' ')));",
    replace: "return toStorableText(toSearchedWords === undefined ? '' : texts.join(' '));",
    spec: 'test/contract/knowledge/knowledge.spec.ts',
    why: 'documents in Japanese are found by whole sentences alone',
  },
];
