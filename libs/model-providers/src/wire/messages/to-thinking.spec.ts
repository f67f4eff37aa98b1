import { describe, expect, it } from '@jest/globals';
import type { MessagesEffort } from './messages-parameters.js';
import { toThinking } from './to-thinking.js';

const asked = (effort: MessagesEffort | undefined, isShown = false, maxTokens = 32_000) => ({
  effort,
  isShown,
  maxTokens,
});

describe('toThinking', () => {
  it.each(['claude-opus-5-5', 'claude-haiku-4-5', 'anything'])('leaves %s to its own default', (model) =>
    expect(toThinking(model, asked(undefined))).toEqual({}),
  );

  it.each([
    'claude-opus-5-5',
    'claude-opus-4-6',
    'claude-sonnet-4-6',
    'claude-opus-4-8',
    'claude-sonnet-5',
    'us.anthropic.claude-opus-4-6-v1',
    'global.anthropic.claude-haiku-5-5',
    'a-model-of-next-year',
  ])('asks %s with an effort', (model) => {
    expect(toThinking(model, asked('high'))).toEqual({ thinking: { type: 'adaptive' }, effort: 'high' });
    expect(toThinking(model, asked('minimal'))).toMatchObject({ effort: 'low' });
  });

  it.each([
    'claude-haiku-4-5',
    'claude-haiku-4-5-20251001',
    'claude-sonnet-4-5-20250929',
    'claude-opus-4-1-20250805',
    'claude-sonnet-4-20250514',
    'claude-sonnet-4@20250514',
    'claude-3-7-sonnet-20250219',
    'global.anthropic.claude-haiku-4-5-20251001-v1:0',
  ])('asks %s with a budget', (model) =>
    expect(toThinking(model, asked('medium'))).toEqual({
      thinking: { type: 'enabled', budget_tokens: 8_192 },
    }),
  );

  it.each([
    [2_000, { thinking: { type: 'enabled', budget_tokens: 1_999 } }],
    [1_025, { thinking: { type: 'enabled', budget_tokens: 1_024 } }],
    [1_024, {}],
  ])('keeps the budget below a limit of %d tokens', (most, expected) =>
    expect(toThinking('claude-haiku-4-5', asked('high', false, most))).toEqual(expected),
  );

  it('asks for the text of the reasoning where it is wanted', () => {
    expect(toThinking('claude-opus-5-5', asked(undefined, true))).toEqual({
      thinking: { type: 'adaptive', display: 'summarized' },
    });
    expect(toThinking('claude-haiku-4-5', asked(undefined, true))).toMatchObject({
      thinking: { type: 'enabled', display: 'summarized' },
    });
  });

  it.each([
    ['claude-haiku-5-5', 'disabled'],
    ['claude-sonnet-5-5', 'between_tools'],
    ['claude-haiku-4-5', 'disabled'],
  ])('switches the reasoning of %s off by %s', (model, type) =>
    expect(toThinking(model, asked('none'))).toEqual({ thinking: { type } }),
  );
});
