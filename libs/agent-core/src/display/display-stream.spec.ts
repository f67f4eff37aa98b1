import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { DisplayMessage } from './display-message.js';
import { displayDelta, endDisplay, startDisplay, type RoundDelta } from './display-stream.js';
import { stripThinkBlocks } from './think-blocks.js';

const text = (content: string): RoundDelta => ({ kind: 'text', content });
const thinking = (content: string): RoundDelta => ({ kind: 'thinking', content });
const call: RoundDelta = { kind: 'tool_call' };

const shown = (...texts: string[]): DisplayMessage[] =>
  texts.map((content) => ({ kind: 'text', text: content }));
const block = (content: string): DisplayMessage => ({
  kind: 'thought_block',
  text: `<think>\n${content}\n</think>`,
});
const reasoning = (content: string): DisplayMessage => ({ kind: 'thinking', text: content });

function play(
  deltas: readonly RoundDelta[],
  toolNames: readonly string[],
  emit: boolean,
  isLastRound = false,
): DisplayMessage[] {
  let state = startDisplay({ emitIntermediateThoughts: emit, isLastRound });
  const messages = deltas.flatMap((delta) => {
    const step = displayDelta(state, delta);
    state = step.state;
    return step.messages;
  });
  return [...messages, ...endDisplay(state, toolNames)];
}

const FALLBACK = block('First, I will check the information I need with the tool search.');

describe('a streamed round whose thoughts are shown', () => {
  it.each<[string, RoundDelta[], string[], DisplayMessage[]]>([
    [
      'each piece as it comes, think blocks too (S0-23, 3.C-1)',
      [text('<think>a</th'), text('ink>b')],
      [],
      shown('<think>a</th', 'ink>b'),
    ],
    [
      'reasoning as it comes, before the text (S0-23)',
      [thinking('hm'), text('b')],
      [],
      [reasoning('hm'), ...shown('b')],
    ],
    ['nothing of an answer without text', [], [], []],
    [
      'text before a call as it was, and no second time (3.C-3)',
      [text('I look. '), call],
      ['search'],
      shown('I look. '),
    ],
    [
      'text after a call as one thought (S0-24, 3.C-3)',
      [text('a'), call, text('Intent: b'), text('c')],
      ['search'],
      [...shown('a'), block('bc')],
    ],
    [
      'text after a call as one thought though there was none before (S0-24, 3.C-4)',
      [call, text('b')],
      ['search'],
      [block('b')],
    ],
    ['a fallback thought where there was no text at all (S1-66, 3.C-4)', [call], ['search'], [FALLBACK]],
    [
      'a fallback thought where there was white space only',
      [text('\n'), call, text(' ')],
      ['search'],
      [...shown('\n'), FALLBACK],
    ],
    [
      'no fallback thought where there was reasoning (S1-66)',
      [thinking('hm'), call],
      ['search'],
      [reasoning('hm')],
    ],
    ['late text as text where no call was usable', [text('a'), call, text('b')], [], shown('a', 'b')],
    ['a fallback thought for calls that only the end reports', [], ['search'], [FALLBACK]],
  ])('shows %s', (_name, deltas, toolNames, messages) => {
    expect(play(deltas, toolNames, true)).toEqual(messages);
    expect(play(deltas, toolNames, true, true)).toEqual(messages);
  });
});

describe('a streamed round whose thoughts are hidden', () => {
  it.each<[string, RoundDelta[], string[], boolean, DisplayMessage[]]>([
    [
      'one message without think blocks (S0-25, S0-27, 3.C-2)',
      [text('a<thi'), text('nk>b</think>'), text('c')],
      [],
      false,
      shown('ac'),
    ],
    ['nothing of reasoning (S0-25)', [thinking('hm'), text('a')], [], false, shown('a')],
    ['nothing of an answer that is all thought', [text('<think>a</think>\n')], [], false, []],
    [
      'nothing of a round with calls (S0-26, S0-30, 3.C-5)',
      [text('I look.'), call, text('b')],
      ['search'],
      false,
      [],
    ],
    ['no fallback thought (3.C-5)', [call], ['search'], false, []],
    [
      'the visible text of the last round, with calls too (S0-30, 3.C-5)',
      [text('<think>a</think>b'), call],
      ['search'],
      true,
      shown('b'),
    ],
    ['no fallback thought in the last round (3.C-5)', [call], ['search'], true, []],
    ['the text of a round whose calls were not usable', [text('a'), call, text('b')], [], false, shown('ab')],
    ['what there is of an answer that was given up', [text('a<think>b')], [], false, shown('a')],
  ])('shows %s', (_name, deltas, toolNames, isLastRound, messages) => {
    expect(play(deltas, toolNames, false, isLastRound)).toEqual(messages);
  });

  it('sends nothing before the round is over (3.C-2)', () => {
    let state = startDisplay({ emitIntermediateThoughts: false, isLastRound: true });
    for (const delta of [text('a'), thinking('b'), call, text('c')]) {
      const step = displayDelta(state, delta);
      expect(step.messages).toEqual([]);
      state = step.state;
    }
    expect(endDisplay(state, [])).toEqual(shown('ac'));
  });
});

describe('displayDelta', () => {
  it.each([null, undefined, ''])('passes over a piece with the content %j (S1-67, 3.C-10)', (content) => {
    for (const emit of [true, false]) {
      const state = startDisplay({ emitIntermediateThoughts: emit, isLastRound: false });
      for (const kind of ['text', 'thinking'] as const) {
        expect(displayDelta(state, { kind, content })).toEqual({ state, messages: [] });
      }
    }
  });

  it('shows the same text for any split into deltas (S0-23, S0-25)', () => {
    const fragment = fc.constantFrom('<think>', '</think>', '<th', 'ink>', 'a', ' ', '\n', '<', '>');
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 20 }), fc.boolean(), (fragments, emit) => {
        const whole = fragments.join('');
        const joined = (messages: readonly DisplayMessage[]): string =>
          messages.map((message) => message.text).join('');
        const expected = emit ? whole : stripThinkBlocks(whole);
        expect(joined(play(fragments.map(text), [], emit))).toBe(expected);
        expect(joined(play([...whole].map(text), [], emit))).toBe(expected);
      }),
      { numRuns: 3_000 },
    );
  });
});
