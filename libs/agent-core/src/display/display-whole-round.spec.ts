import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { DisplayMessage } from './display-message.js';
import { displayWholeRound } from './display-whole-round.js';
import { stripThinkBlocks } from './think-blocks.js';

const shown = (...texts: string[]): DisplayMessage[] =>
  texts.map((content) => ({ kind: 'text', text: content }));
const block = (content: string): DisplayMessage => ({
  kind: 'thought_block',
  text: `<think>\n${content}\n</think>`,
});

const FALLBACK = block('First, I will check the information I need with the tool search.');

describe('a whole round whose thoughts are shown', () => {
  it.each<[string, string[], string[], DisplayMessage[]]>([
    ['its text unchanged (S0-23)', ['<think>a</think>b'], [], shown('<think>a</think>b')],
    ['one message for each part (3.C-6)', ['a', '', 'b'], [], shown('a', 'b')],
    ['its text as a thought where it calls tools (S0-24, 3.C-4)', ['a'], ['search'], [block('a')]],
    ['its parts as one thought, a line each (3.C-6)', ['a', '', 'b'], ['search'], [block('a\nb')]],
    ['a fallback thought where there is no text (S1-66, 3.C-4)', [' '], ['search'], [FALLBACK]],
    ['a fallback thought where there is no message (3.C-10)', [], ['search'], [FALLBACK]],
    ['nothing where there is no message and no call (3.C-10)', [], [], []],
  ])('shows %s', (_name, parts, toolNames, messages) => {
    for (const isLastRound of [false, true]) {
      const rules = { emitIntermediateThoughts: true, isLastRound };
      expect(displayWholeRound({ parts, thinking: '', toolNames }, rules)).toEqual(messages);
    }
  });

  it.each([
    ['before the text', ['a'], [], shown('a')],
    ['in place of a fallback thought (S1-66)', [], ['search'], []],
    ['before the thought', ['a'], ['search'], [block('a')]],
  ])('shows reasoning %s', (_name, parts, toolNames, rest) => {
    const rules = { emitIntermediateThoughts: true, isLastRound: false };
    const messages = displayWholeRound({ parts, thinking: 'hm', toolNames }, rules);
    expect(messages).toEqual([{ kind: 'thinking', text: 'hm' }, ...rest]);
  });
});

describe('a whole round whose thoughts are hidden', () => {
  it.each<[string, string[], string[], boolean, DisplayMessage[]]>([
    ['its visible text (S0-25, S0-27)', ['<think>a</think>b'], [], false, shown('b')],
    [
      'one message for each part with visible text (3.C-6)',
      ['<think>a</think>', 'b', 'c'],
      [],
      false,
      shown('b', 'c'),
    ],
    ['nothing of a block that goes over two parts', ['a<think>b', 'c</think>d'], [], false, shown('a', 'd')],
    ['half a tag at the end of the last part', ['a', 'b<th'], [], false, shown('a', 'b<th')],
    ['nothing of a round with calls (S0-26, 3.C-5)', ['a'], ['search'], false, []],
    [
      'the visible text of the last round (S0-30, 3.C-5)',
      ['<think>a</think>b', 'c'],
      ['search'],
      true,
      shown('b\nc'),
    ],
    ['nothing of the last round when it is all thought', ['<think>a</think>'], ['search'], true, []],
    ['nothing where there is no message (3.C-10)', [], [], true, []],
  ])('shows %s', (_name, parts, toolNames, isLastRound, messages) => {
    const rules = { emitIntermediateThoughts: false, isLastRound };
    expect(displayWholeRound({ parts, thinking: 'hidden', toolNames }, rules)).toEqual(messages);
  });

  it('shows the same for any split of a text (S0-25)', () => {
    const fragment = fc.constantFrom('<think>', '</think>', '<th', 'ink>', 'a', ' ', '<');
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 12 }), (parts) => {
        const rules = { emitIntermediateThoughts: false, isLastRound: false };
        const messages = displayWholeRound({ parts, thinking: '', toolNames: [] }, rules);
        expect(messages.map((message) => message.text).join('')).toBe(stripThinkBlocks(parts.join('')));
      }),
    );
  });
});
