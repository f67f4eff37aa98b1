import { describe, expect, it } from '@jest/globals';
import {
  chooseBatch,
  chooseKept,
  type CountedMessage,
  DEFAULT_HISTORY_TOKENS,
  historyBudget,
  isOutgrown,
  MAX_HISTORY_MESSAGES,
} from './choose-window.js';

const turns = (...given: readonly (readonly number[])[]): CountedMessage[] =>
  given.flatMap((tokens, index) => tokens.map((each) => ({ turnNumber: index + 1, tokens: each })));

describe('messages kept word by word', () => {
  it.each<[string, CountedMessage[], number, number | null]>([
    ['nothing of nothing', [], 10, null],
    ['the newest turns within half of the budget', turns([3], [3], [2]), 10, 2],
    ['the last turn where it alone is longer than half', turns([3], [7]), 10, 2],
    ['not the turn before a long last one', turns([1], [1], [7]), 10, 3],
    ['nothing where the last turn is longer than the budget', turns([1], [11]), 10, null],
  ])('is %s', (_name, messages, tokens, from) => {
    expect(chooseKept(messages, { tokens, messages: 100 }).fromTurn).toBe(from);
  });

  it('is half of the messages where they are short', () => {
    const messages = turns(...Array.from({ length: 10 }, () => [1, 1]));
    expect(chooseKept(messages, { tokens: 1_000, messages: 8 }).fromTurn).toBe(9);
  });
});

describe('messages covered by one summary', () => {
  it.each<[string, CountedMessage[], number, number, number | null]>([
    ['nothing of nothing', [], 10, 10, null],
    ['everything that fits', turns([1, 1], [1, 1]), 4, 10, 2],
    ['whole turns', turns([1, 1], [1, 1]), 3, 10, 1],
    ['one turn at least, of any length', turns([9, 9], [1]), 3, 10, 1],
    ['so many messages at most', turns([1, 1], [1, 1], [1]), 99, 4, 2],
  ])('is %s', (_name, messages, tokens, most, through) => {
    expect(chooseBatch(messages, { tokens, messages: most })).toBe(through);
  });
});

describe('the budget of a conversation', () => {
  it.each([
    [null, 400_000, DEFAULT_HISTORY_TOKENS],
    [500, 400_000, 500],
    [300_000, 100_000, 100_000],
    [null, 2_000, 2_000],
    [500, -1, 0],
  ])('with %j wanted tokens and room for %i is %i', (wanted, room, tokens) => {
    expect(historyBudget(wanted, room)).toEqual({ messages: MAX_HISTORY_MESSAGES, tokens });
  });

  it.each([
    [{ messages: 10, tokens: 100 }, false],
    [{ messages: 11, tokens: 1 }, true],
    [{ messages: 1, tokens: 101 }, true],
  ])('with 10 messages and 100 tokens is exceeded by %j: %j', (held, expected) => {
    expect(isOutgrown(held, { messages: 10, tokens: 100 })).toBe(expected);
  });
});
