import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { readAnnotations } from './read-annotations.js';

const URL_CITATION = {
  type: 'url_citation',
  start_index: 0,
  end_index: 4,
  url: 'https://a.example',
  title: 'A',
};
const FILE_CITATION = { type: 'file_citation', file_id: 'file-1', filename: 'a.pdf', index: 2 };
const CONTAINER = {
  ...{ type: 'container_file_citation', container_id: 'c', file_id: 'f', filename: 'plot.png' },
  ...{ start_index: 1, end_index: 3 },
};

const message = (...parts: readonly JsonObject[]): JsonObject => ({ type: 'message', content: [...parts] });
const text = (words: string, ...annotations: readonly JsonObject[]): JsonObject => ({
  ...{ type: 'output_text', text: words, annotations: [...annotations] },
});

describe('annotations of a provider in an answer', () => {
  it('are stored unchanged, for any type (S2-23)', () => {
    const unknown = { type: 'sound_citation', second: 7, nested: { a: [1] } };
    expect(
      readAnnotations([message(text('Blue.', URL_CITATION, FILE_CITATION, CONTAINER, unknown))]),
    ).toEqual([URL_CITATION, FILE_CITATION, CONTAINER, unknown]);
  });

  it('counts places from the beginning of the whole text, by characters (S2-23)', () => {
    const output = [
      message(text('Grün 😀'), text('')),
      { type: 'reasoning' },
      message(text('Blue.', CONTAINER)),
    ];
    expect(readAnnotations(output)).toEqual([{ ...CONTAINER, start_index: 8, end_index: 10 }]);
  });

  it('is left out where it says nothing that can be read', () => {
    const output = [
      message(text('Blue.', { no: 'type' }, { type: 7 }), {
        type: 'output_text',
        text: 'x',
        annotations: 'y',
      }),
    ];
    expect(readAnnotations(output)).toEqual([]);
    expect(readAnnotations([{ type: 'message', content: 'x' }])).toEqual([]);
  });

  it('is bounded, by number and by length; what is too long makes no room for itself (S2-23)', () => {
    const many = Array.from({ length: 300 }, (_, at) => ({ ...FILE_CITATION, index: at }));
    expect(readAnnotations([message(text('x', ...many))])).toHaveLength(200);
    const long = { ...URL_CITATION, title: 'x'.repeat(70_000) };
    expect(readAnnotations([message(text('x', long, FILE_CITATION))])).toEqual([FILE_CITATION]);
    const half = { ...URL_CITATION, title: 'x'.repeat(40_000) };
    expect(readAnnotations([message(text('x', half, half, FILE_CITATION))])).toEqual([half, FILE_CITATION]);
  });

  it('can be stored', () => {
    expect(readAnnotations([message(text('x', { type: 'a', title: 'b\u0000c' }))])).toEqual([
      { type: 'a', title: expect.not.stringContaining('\u0000') },
    ]);
  });
});
