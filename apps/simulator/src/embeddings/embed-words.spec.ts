import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { embedWords } from './embed-words.js';

const likeness = (a: string, b: string): number => {
  const [left, right] = [embedWords(a, 1024), embedWords(b, 1024)];
  return left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0);
};

const SIGNATURES =
  'Each delivery has a signature over its body and the time, made with the secret of the endpoint. A receiver that ' +
  'does not check the signature of a webhook takes all that it is sent, so it is shown in three languages below.';

describe('an embedding of words', () => {
  it('has unit length and the requested dimensions for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 300 }), (text, dimensions) => {
        const vector = embedWords(text, dimensions);
        expect(vector).toHaveLength(dimensions);
        expect(Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))).toBeCloseTo(1, 5);
      }),
    );
  });

  it('is always the same for a text; width, case and punctuation do not count', () => {
    const vector = ['-0.370653', '-0.218914', '-0.218914', '0.875654'];
    expect([...embedWords('Roma tomatoes', 4)].map((value) => value.toFixed(6))).toEqual(vector);
    expect([...embedWords('(Ｒｏｍａ) TOMATOES!', 4)].map((value) => value.toFixed(6))).toEqual(vector);
  });

  it.each([
    ['How is the signature of a webhook checked?', 0.3, 1],
    ['Which receivers check signatures?', 0.2, 1],
    ['What is the best recipe for sourdough bread?', -1, 0.15],
    ['Who won the world cup in the year of the flood?', -1, 0.15],
    ['ラーメンの作り方を教えて', -1, 0.15],
  ])('is as near to a passage as %j shares words with it', (question, least, most) => {
    expect(likeness(question, SIGNATURES)).toBeGreaterThanOrEqual(least);
    expect(likeness(question, SIGNATURES)).toBeLessThanOrEqual(most);
  });

  it('is near to another form of the word, and to characters where words have no spaces between them', () => {
    expect(likeness('archive', 'archived')).toBeGreaterThan(0.6);
    expect(likeness('ローマトマト', 'トマト')).toBeGreaterThan(likeness('ローマトマト', 'バター'));
  });
});
