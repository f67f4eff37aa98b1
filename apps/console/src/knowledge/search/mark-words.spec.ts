import { describe, expect, it } from '@jest/globals';
import { foundWords, markWords, wordsOf } from './mark-words.js';

const marked = (text: string, question: string): string =>
  markWords(text, wordsOf(question))
    .map((part) => (part.isMarked ? `[${part.text}]` : part.text))
    .join('');

describe('words of a question', () => {
  it('are marked as whole words, in any case', () => {
    expect(marked('Parcels go out; a parcel may wait.', 'When do PARCELS go?')).toBe(
      '[Parcels] [go] out; a parcel may wait.',
    );
  });

  it('are not marked within other words', () => {
    expect(marked('Undo it, going or gone: go.', 'do go')).toBe('Undo it, going or gone: [go].');
  });

  it('in scripts without blanks are marked by two characters', () => {
    expect(marked('荷物は正午に出ます', '正午に')).toBe('荷物は[正午]に出ます');
  });

  it.each([
    ['no word', '?!', 'Go (now).'],
    ['one letter', 'a', 'a b'],
    ['signs of a pattern', '.*+(', 'Go (now).'],
  ])('are not marked where there is %s', (_name, question, text) => {
    expect(marked(text, question)).toBe(text);
  });

  it('are named where a text has them, in the order of the question', () => {
    expect(foundWords('out go PARCELS', wordsOf('Do parcels go today?'))).toEqual(['parcels', 'go']);
  });

  it('leave a text whole', () => {
    const text = '<b>Go</b>\n go\u0301 going go';
    expect(
      markWords(text, wordsOf('go'))
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  });
});
