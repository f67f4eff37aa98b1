import { describe, expect, it } from '@jest/globals';
import {
  readRetrievalParameters,
  readSearchParameters,
  RETRIEVAL_PARAMETER_NAMES,
  withoutRetrieval,
} from './retrieval-parameters.js';

const LEAST = { datasource_ids: [7] };

describe('retrieval settings of an agent', () => {
  it('has its defaults (3.H-13, S3-34)', () => {
    const reading = readRetrievalParameters({ ...LEAST, temperature: 1 });
    expect(reading).toEqual({
      kind: 'read',
      parameters: {
        datasource_ids: [7],
        top_k: 5,
        score_threshold: 0,
        embed_model: null,
        retrieval_mode: 'UNION',
        dedup_strategy: 'NONE',
        max_context_chars: 8_000,
        citation_snippet_chars: 200,
        chunk_merge: false,
        chunk_merge_strategy: 'NEWLINE',
        context_template: expect.stringMatching(/\{\{chunks\}\}[^]*\{\{question\}\}/),
      },
    });
  });

  it('names each datasource once', () => {
    expect(readRetrievalParameters({ datasource_ids: [2, 1, 2] })).toMatchObject({
      parameters: { datasource_ids: [2, 1] },
    });
  });

  const TEMPLATE = 'context_template placeholders missing';
  it.each<[string, object, string]>([
    ['no datasources', {}, 'datasource_ids required'],
    ['none of them', { datasource_ids: [] }, 'datasource_ids required'],
    ['a text of them', { datasource_ids: '7' }, 'datasource_ids required'],
    ['one that is no id', { datasource_ids: [7, 'x'] }, 'retrieval param invalid: datasource_ids'],
    ['one beyond any id', { datasource_ids: [2 ** 31] }, 'retrieval param invalid: datasource_ids'],
    [
      'too many',
      { datasource_ids: Array.from({ length: 33 }, (_, at) => at + 1) },
      'retrieval param invalid: datasource_ids',
    ],
    ['top_k 0', { ...LEAST, top_k: 0 }, 'retrieval param invalid: top_k'],
    ['top_k 101', { ...LEAST, top_k: 101 }, 'retrieval param invalid: top_k'],
    ['top_k as text', { ...LEAST, top_k: '5' }, 'retrieval param invalid: top_k'],
    ['top_k null', { ...LEAST, top_k: null }, 'retrieval param invalid: top_k'],
    ['a threshold of 2', { ...LEAST, score_threshold: 2 }, 'retrieval param invalid: score_threshold'],
    ['another mode', { ...LEAST, retrieval_mode: 'union' }, 'retrieval param invalid: retrieval_mode'],
    ['another dedup', { ...LEAST, dedup_strategy: 'FUZZY' }, 'retrieval param invalid: dedup_strategy'],
    ['no context', { ...LEAST, max_context_chars: 0 }, 'retrieval param invalid: max_context_chars'],
    [
      'no snippet',
      { ...LEAST, citation_snippet_chars: 0 },
      'retrieval param invalid: citation_snippet_chars',
    ],
    [
      'another merge',
      { ...LEAST, chunk_merge_strategy: 'TAB' },
      'retrieval param invalid: chunk_merge_strategy',
    ],
    ['a merge as text', { ...LEAST, chunk_merge: 'yes' }, 'retrieval param invalid: chunk_merge'],
    ['no model', { ...LEAST, embed_model: '' }, 'retrieval param invalid: embed_model'],
    ['a template without question', { ...LEAST, context_template: '{{chunks}}' }, TEMPLATE],
    ['a template without chunks', { ...LEAST, context_template: '{{question}}' }, TEMPLATE],
    ['an empty template', { ...LEAST, context_template: '' }, TEMPLATE],
    [
      'a template that is none',
      { ...LEAST, context_template: 5 },
      'retrieval param invalid: context_template',
    ],
  ])('is refused with %s (3.H-13)', (_what, given, message) => {
    const reading = readRetrievalParameters(given as Parameters<typeof readRetrievalParameters>[0]);
    expect(reading).toMatchObject({ kind: 'faults', faults: [{ message }] });
  });

  it.each([1, 100])('takes %d as top_k (3.H-13)', (top_k) => {
    expect(readRetrievalParameters({ ...LEAST, top_k })).toMatchObject({ parameters: { top_k } });
  });

  it('names every fault, with its place', () => {
    const reading = readRetrievalParameters({ top_k: 0, context_template: 'x' });
    expect(reading.kind === 'faults' && reading.faults.map(({ path }) => path)).toEqual([
      ['datasource_ids'],
      ['top_k'],
      ['context_template'],
    ]);
  });

  it('is for no model (3.H-13)', () => {
    const keys = Object.fromEntries(RETRIEVAL_PARAMETER_NAMES.map((name) => [name, 1]));
    expect(withoutRetrieval({ ...keys, temperature: 0.5 })).toEqual({ temperature: 0.5 });
    expect(RETRIEVAL_PARAMETER_NAMES).toContain('top_k');
  });
});

describe('settings of a search', () => {
  it.each<[string, unknown, string]>([
    ['no object', 'all', 'datasource_ids required'],
    ['a key that it does not know', { ...LEAST, topk: 3 }, 'retrieval param invalid: topk'],
    [
      'a key of another kind of agent',
      { ...LEAST, context_template: 'x' },
      'retrieval param invalid: context_template',
    ],
    ['no datasources', {}, 'datasource_ids required'],
  ])('is refused with %s', (_what, given, message) => {
    const reading = readSearchParameters(given as Parameters<typeof readSearchParameters>[0]);
    expect(reading).toMatchObject({ kind: 'faults', faults: [{ message }] });
  });

  it('has the same defaults', () => {
    expect(readSearchParameters(LEAST)).toMatchObject({ parameters: { top_k: 5, max_context_chars: 8_000 } });
  });
});
