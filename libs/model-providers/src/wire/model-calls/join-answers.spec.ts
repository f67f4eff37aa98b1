import { describe, expect, it } from '@jest/globals';
import { joinAnswers } from './join-answers.js';
import type { RestoredAnswer } from './restored-answer.js';

const answer = (change: Partial<RestoredAnswer>): RestoredAnswer => ({
  responseId: 'one',
  model: 'm',
  text: '',
  thinking: '',
  toolCalls: [],
  usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 2, reasoning_tokens: 0, total_tokens: 3 },
  incompleteReason: null,
  providerItems: [],
  ...change,
});
const call = { id: 'c', name: 'n', arguments: '{}' };

describe('joinAnswers', () => {
  it('adds texts, calls, items and tokens, and ends as the second does', () =>
    expect(
      joinAnswers(
        answer({ text: 'a', thinking: 'x', toolCalls: [call], providerItems: [{ n: 1 }] }),
        answer({
          responseId: 'two',
          text: 'b',
          toolCalls: [call],
          providerItems: [{ n: 2 }],
          incompleteReason: 'content_filter',
        }),
      ),
    ).toEqual({
      ...{ responseId: 'two', model: 'm', text: 'a\nb', thinking: 'x', incompleteReason: 'content_filter' },
      toolCalls: [call, { ...call, id: 'c_2' }],
      usage: {
        input_tokens: 2,
        cached_input_tokens: 0,
        output_tokens: 4,
        reasoning_tokens: 0,
        total_tokens: 6,
      },
      providerItems: [{ n: 1 }, { n: 2 }],
      parts: [
        { kind: 'reasoning', index: 0 },
        { kind: 'message', text: 'a', phase: null },
        { kind: 'call', callId: 'c' },
        { kind: 'reasoning', index: 1 },
        { kind: 'message', text: 'b', phase: null },
        { kind: 'call', callId: 'c_2' },
      ],
    }));

  it('S1-36: does not know the tokens of the whole where those of a part are unknown', () => {
    expect(joinAnswers(answer({}), answer({ usage: null })).usage).toBeNull();
    expect(joinAnswers(answer({ usage: null }), answer({})).usage).toBeNull();
  });

  it('keeps the plain order plain', () =>
    expect(joinAnswers(answer({ providerItems: [{ n: 1 }] }), answer({ text: 'b' }))).not.toHaveProperty(
      'parts',
    ));
});
