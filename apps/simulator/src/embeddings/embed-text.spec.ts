import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { buildEmbeddings } from './build-embeddings.js';
import { embedText, embedTokens } from './embed-text.js';
import { parseEmbeddingsRequest } from './embeddings-request.js';

const length = (vector: Float32Array): number =>
  Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
const likeness = (a: string, b: string): number => {
  const [left, right] = [embedText(a, 256), embedText(b, 256)];
  return left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0);
};

describe('an embedding', () => {
  it('has unit length and the requested dimensions for any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.integer({ min: 1, max: 300 }),
        (text, dimensions) => {
          const vector = embedText(text, dimensions);
          expect(vector).toHaveLength(dimensions);
          expect(length(vector)).toBeCloseTo(1, 5);
        },
      ),
    );
    expect(length(embedTokens([1, 2, 3], 64))).toBeCloseTo(1, 5);
  });

  it('is always the same for a text', () => {
    const vector = ['-0.713024', '0.583383', '-0.388922', '0.000000'];
    expect([...embedText('roma tomatoes', 4)].map((value) => value.toFixed(6))).toEqual(vector);
    expect([...embedText('Ｒｏｍａ  Tomatoes', 4)].map((value) => value.toFixed(6))).toEqual(vector);
  });

  it('is nearer to a text that is spelt alike', () => {
    expect(likeness('roma tomatoes', 'roma tomatos')).toBeGreaterThan(0.8);
    expect(likeness('roma tomatoes', 'unsalted butter')).toBeLessThan(0.4);
    expect(likeness('ローマトマト', 'トマト')).toBeGreaterThan(likeness('ローマトマト', 'バター'));
  });

  it('reads the same as floats and as base64', () => {
    const ask = (encoding_format: string) =>
      buildEmbeddings(
        parseEmbeddingsRequest({ model: 'sim-embedding', input: ['a', 'b'], dimensions: 8, encoding_format }),
      );
    const floats = ask('float').data.map((one) => one.embedding);
    const texts = ask('base64').data.map((one) => one.embedding);
    const decoded = texts.map((text) => {
      const bytes = Buffer.from(String(text), 'base64');
      return Array.from({ length: bytes.length / 4 }, (_none, at) => bytes.readFloatLE(at * 4));
    });
    expect(decoded).toEqual(floats);
  });
});
