import { describe, expect, it } from '@jest/globals';
import { toRetrieverResources } from './retriever-resources.js';

const EVERY_FIELD = {
  content: null,
  position: null,
  dataset_id: null,
  dataset_name: null,
  document_id: null,
  document_name: null,
  data_source_type: null,
  segment_id: null,
  retriever_from: null,
  score: null,
  hit_count: null,
  word_count: null,
  segment_position: null,
  index_node_hash: null,
  page: null,
  doc_metadata: null,
};

describe('toRetrieverResources', () => {
  it.each([undefined, null, 'text', 5, {}, { 0: {} }])(
    'says nothing of the context %j, which is no list (3.E-7)',
    (context) => {
      expect(toRetrieverResources(context)).toBeNull();
    },
  );

  it('emits an empty list too (3.E-7)', () => {
    expect(toRetrieverResources([])).toEqual({ retriever_resources: [], context: '' });
  });

  it('has null for what is not said (S0-8, S1-55, 3.E-9)', () => {
    expect(toRetrieverResources([{ content: 'a\0b', title: 't', metadata: {} }])).toEqual({
      retriever_resources: [{ ...EVERY_FIELD, content: 'ab' }],
      context: '',
    });
  });

  it('renames what clients know by another name (3.E-9)', () => {
    const metadata = {
      position: 1,
      dataset_id: 'd',
      dataset_name: 'docs',
      document_id: 'e',
      document_name: 'Guide',
      document_data_source_type: 'upload',
      segment_id: 's',
      retriever_from: 'workflow',
      score: 0.5,
      segment_hit_count: 2,
      segment_word_count: 3,
      segment_position: 4,
      segment_index_node_hash: 'h',
      page: 7,
      doc_metadata: { author: 'A' },
      data_source_type: 'not this one',
      something_else: true,
    };
    const resources = toRetrieverResources([{ content: 'text', title: 'Guide', metadata }]);
    expect(resources?.retriever_resources).toEqual([
      {
        content: 'text',
        position: 1,
        dataset_id: 'd',
        dataset_name: 'docs',
        document_id: 'e',
        document_name: 'Guide',
        data_source_type: 'upload',
        segment_id: 's',
        retriever_from: 'workflow',
        score: 0.5,
        hit_count: 2,
        word_count: 3,
        segment_position: 4,
        index_node_hash: 'h',
        page: 7,
        doc_metadata: { author: 'A' },
      },
    ]);
  });

  it.each<[string, unknown[]]>([
    ['texts', ['text']],
    [
      'one item without content',
      [
        { content: 'a', title: 't', metadata: {} },
        { title: 't', metadata: {} },
      ],
    ],
    ['an item without a title', [{ content: 'a', metadata: {} }]],
    ['an item whose metadata is a list', [{ content: 'a', title: 't', metadata: [] }]],
  ])('S1-55: shows nothing of a list of anything else: %s', (_what, context) => {
    expect(toRetrieverResources(context)).toBeNull();
  });
});
