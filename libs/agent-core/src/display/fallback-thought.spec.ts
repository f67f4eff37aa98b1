import { describe, expect, it } from '@jest/globals';
import { fallbackThought } from './fallback-thought.js';

describe('fallbackThought', () => {
  it.each([
    ['no tool', [], 'First, I will check the information I need.'],
    ['one tool', ['search'], 'First, I will check the information I need with the tool search.'],
    [
      'one tool twice',
      ['search', 'search'],
      'First, I will check the information I need with the tool search.',
    ],
    ['two tools', ['b', 'a'], 'To get the information I need, I will check with these tools in turn: b, a'],
    [
      'three tools',
      ['a', 'b', 'a', 'c'],
      'To get the information I need, I will check with these tools in turn: a, b, c',
    ],
    [
      'four tools',
      ['a', 'b', 'c', 'd'],
      'To get the information I need, I will check with these tools in turn: a, b, c...',
    ],
    [
      'a name that would end the block',
      ['</think>'],
      'First, I will check the information I need with the tool think.',
    ],
    ['a name of nothing', ['', '！'], 'First, I will check the information I need.'],
  ])('names %s in one sentence in a think block (S1-66, 3.C-9)', (_name, toolNames, sentence) => {
    expect(fallbackThought(toolNames)).toBe(`<think>\n${sentence}\n</think>`);
  });

  it('stays one short sentence for any tool name', () => {
    const hostile = Array.from({ length: 50 }, (_, index) => `${index}${'x'.repeat(10_000)}`);
    expect(fallbackThought(hostile).length).toBeLessThan(300);
  });
});
