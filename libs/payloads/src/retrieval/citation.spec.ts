import { describe, expect, it } from '@jest/globals';
import { citationSchema, toCitation } from './citation.js';

const PASSAGE = {
  datasource_id: 3,
  document_id: '01890a5d-ac96-774b-bcce-b302099a8057',
  chunk_id: 41,
  title: 'Handbook',
  score: 0.812_345,
  rank: 2,
  text: 'Noon.',
};

describe('a citation', () => {
  it('has exactly these fields, and four decimals of its score (3.H-13, S3-34)', () => {
    const citation = toCitation(PASSAGE, 200);
    const { text: _text, document_id, ...rest } = PASSAGE;
    expect(citation).toEqual({ ...rest, doc_id: document_id, score: 0.8123, snippet: 'Noon.' });
    expect(citationSchema.parse(citation)).toEqual(citation);
  });

  it.each([
    [5, 'Noon.'],
    [4, 'Noon...'],
    [1, 'N...'],
  ])('shows %d characters, and that it goes on (3.H-13)', (most, snippet) => {
    expect(toCitation(PASSAGE, most).snippet).toBe(snippet);
  });

  it('splits no character', () => {
    expect(toCitation({ ...PASSAGE, text: '😀😀' }, 1).snippet).toBe('😀...');
  });
});
