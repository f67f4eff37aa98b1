import { describe, expect, it } from '@jest/globals';
import type { DocumentWarning, KnowledgeDocument } from '../api/types.js';
import { isUnderWay, progressOf, stateWords } from './document-state.js';
import { documentSearchOf, datasourceSearchOf } from './knowledge-search.js';
import { pageRanges, warningText } from './warning-text.js';

const document = (state: KnowledgeDocument['state'], done = 0, total: number | null = null) =>
  ({ state, progress: { done, total } }) as KnowledgeDocument;

describe('the state of a document', () => {
  it.each([
    [document('waiting'), 'Waiting', null],
    [document('chunking', 12), 'Chunking, 12 chunks', null],
    [document('embedding', 64, 212), 'Embedding 64 of 212', 64 / 212],
    [document('embedding', 0, 0), 'Embedding 0 of 0', null],
    [document('ready', 212, 212), 'Ready', 1],
    [document('failed', 3, 212), 'Failed', null],
  ])('%j reads %s', (given, words, progress) => {
    expect([stateWords(given), progressOf(given)]).toEqual([words, progress]);
  });

  it('is over when it is ready or has failed', () => {
    const underWay = (['indexing', 'ready', 'failed'] as const).map((state) => isUnderWay(document(state)));
    expect(underWay).toEqual([true, false, false]);
  });
});

describe('a warning', () => {
  it('names pages one by one and in ranges', () => {
    expect(pageRanges([1, 3, 4, 5, 9])).toBe('1, 3–5, 9');
  });

  it.each<[DocumentWarning, string]>([
    [{ code: 'no_text_on_page', pages: [7], page_count: 1 }, 'No text, such as on scans: page 7'],
    [
      { code: 'no_text_on_page', pages: [1, 2, 3], page_count: 140 },
      'No text, such as on scans: pages 1–3 and 137 more',
    ],
    [{ code: 'truncated', pages: [], page_count: 0 }, 'More text than is read of one thing'],
    [
      { code: 'unmapped_glyphs', pages: [], page_count: 2 },
      'Characters whose letters the file does not name: 2 pages',
    ],
  ])('%j reads %s', (warning, words) => {
    expect(warningText(warning)).toBe(words);
  });
});

describe('the address of a datasource', () => {
  it('holds its view, the filter and the question', () => {
    const search = { tab: 'search', state: 'failed', q: 'When?', top: '20', least: '0.5', other: 1 };
    expect(datasourceSearchOf(search)).toEqual({
      tab: 'search',
      state: 'failed',
      q: 'When?',
      top: 20,
      least: 0.5,
    });
  });

  it.each([{ tab: 'x' }, { state: 'toString' }, { q: '' }, { q: 7 }, { top: 0 }, { top: 101 }, { least: 2 }])(
    'passes over %j',
    (search) => {
      expect(datasourceSearchOf(search)).toEqual({});
    },
  );

  it('for a document holds the chunk that is looked for', () => {
    expect([documentSearchOf({ chunk: '41' }), documentSearchOf({ chunk: 'x' })]).toEqual([
      { chunk: 41 },
      {},
    ]);
  });
});
