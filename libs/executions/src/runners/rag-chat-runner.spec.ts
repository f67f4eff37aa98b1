import { describe, expect, it } from '@jest/globals';
import { mergePassages } from '#libs/agent-core';
import { aPassage } from '../../../../test/support/builders/passage.js';
import { fitPassages } from './rag-chat-runner.js';

const passages = (...texts: string[]) =>
  texts.map((text, at) => aPassage({ text, chunk_id: at, title: 'T' }));
const textsOf = (found: ReturnType<typeof fitPassages>): string[] => found.map(({ text }) => text);

describe('passages within a bound', () => {
  it.each([
    [7, ['one', 'two']],
    [6, ['one']],
    [3, ['one']],
    [2, ['on']],
  ])('with %d characters are the best that fit (3.H-13)', (most, texts) => {
    expect(textsOf(fitPassages(passages('one', 'two'), 'NEWLINE', most))).toEqual(texts);
  });

  it('never lets a worse one take the place of a better one (3.H-13)', () => {
    expect(textsOf(fitPassages(passages('one', 'much longer', 'x'), 'NEWLINE', 6))).toEqual(['one']);
  });

  it.each(['NEWLINE', 'TITLE_PREFIX'] as const)('stay within it merged by %s', (merge) => {
    const found = passages('one', 'two 😀', 'three');
    for (let most = 1; most <= 40; most += 1) {
      const fitting = fitPassages(found, merge, most);
      expect(mergePassages(fitting, merge).length).toBeLessThanOrEqual(most);
      expect(fitting.every(({ text }) => text.isWellFormed() && text !== '')).toBe(true);
    }
    expect(textsOf(fitPassages(found, merge, 40))).toEqual(['one', 'two 😀', 'three']);
  });

  it('splits no character', () => {
    expect(textsOf(fitPassages(passages('a😀b'), 'NEWLINE', 2))).toEqual(['a']);
  });
});
