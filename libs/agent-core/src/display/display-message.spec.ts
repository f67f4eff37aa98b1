import { describe, expect, it } from '@jest/globals';
import { shouldEmitResponseText, visibleResponse } from './display-message.js';

const TABLE = [
  ['S0-28', false, true, false, true],
  ['S0-28', false, true, true, true],
  ['S0-28', false, false, false, true],
  ['S0-28', false, false, true, true],
  ['S0-29', true, true, false, true],
  ['S0-29', true, true, true, true],
  ['S0-30', true, false, false, false],
  ['S0-30', true, false, true, true],
] as const;

describe('shouldEmitResponseText', () => {
  it.each(TABLE)(
    '%s: tool calls %s, thoughts shown %s, last round %s → %s',
    (_requirement, hasToolCalls, emitIntermediateThoughts, isLastRound, isEmitted) => {
      expect(shouldEmitResponseText({ hasToolCalls, emitIntermediateThoughts, isLastRound })).toBe(isEmitted);
    },
  );
});

describe('visibleResponse', () => {
  it.each(TABLE)(
    'reports no more than the user sees (%s: tool calls %s, thoughts shown %s, last round %s)',
    (_requirement, hasToolCalls, emitIntermediateThoughts, isLastRound, isEmitted) => {
      const response = '<think>hidden</think> seen';
      const shown = emitIntermediateThoughts ? response : ' seen';
      const situation = { hasToolCalls, emitIntermediateThoughts, isLastRound };
      expect(visibleResponse(response, situation)).toBe(isEmitted ? shown : '');
    },
  );
});
