import { describe, expect, it } from '@jest/globals';
import { orderSummary, type MessageTokens } from './conversation-length.js';

const LENGTH = { held: { messages: 4, tokens: 90 }, budget: { messages: 6, tokens: 100 }, summaryModel: 'm' };
const counted = (count: number): MessageTokens => ({ count, tokenizer: 't' });

describe('a summary', () => {
  it.each<[string, (MessageTokens | null)[], boolean]>([
    ['is not ordered within the budget', [counted(4), counted(6)], false],
    ['is ordered by the turn after which it is passed', [counted(4), counted(7)], true],
    ['is ordered for too many messages, however short', [null, null, null], true],
  ])('%s', (_name, added, isOrdered) => {
    expect(orderSummary(LENGTH, added)).toEqual(isOrdered ? { model: 'm', budget: LENGTH.budget } : null);
  });
});
