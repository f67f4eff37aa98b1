import { describe, expect, it } from '@jest/globals';
import { chooseWindow, type CountedMessage, type HistoryWindow } from './choose-window.js';

/** Turns of these lengths in tokens, one list for each, from turn 1 on. */
const turns = (...given: readonly (readonly number[])[]): CountedMessage[] =>
  given.flatMap((tokens, index) => tokens.map((each) => ({ turnNumber: index + 1, tokens: each })));
const MANY = 1_000;

describe('the window over a conversation', () => {
  it.each<[string, CountedMessage[], number, number, HistoryWindow]>([
    ['is empty if nothing was said', [], 10, MANY, { fromTurn: null, messages: 0, tokens: 0 }],
    ['holds all that fits', turns([1, 2], [3, 4]), 10, MANY, { fromTurn: 1, messages: 4, tokens: 10 }],
    ['holds the newest turns', turns([1, 2], [3, 4]), 9, MANY, { fromTurn: 2, messages: 2, tokens: 7 }],
    ['holds no part of a turn', turns([1, 2], [3, 4]), 6, MANY, { fromTurn: null, messages: 0, tokens: 0 }],
    [
      'ends before the first turn that does not fit',
      turns([1], [9], [1]),
      5,
      MANY,
      { fromTurn: 3, messages: 1, tokens: 1 },
    ],
    [
      'holds so many messages at most',
      turns([1, 1], [1, 1], [1, 1]),
      99,
      5,
      { fromTurn: 2, messages: 4, tokens: 4 },
    ],
    [
      'holds a turn of a call and its output as a whole',
      turns([1, 1, 1, 1], [1]),
      99,
      4,
      { fromTurn: 2, messages: 1, tokens: 1 },
    ],
    [
      'passes over turns without messages',
      [...turns([1, 1]), { turnNumber: 7, tokens: 2 }],
      4,
      MANY,
      { fromTurn: 1, messages: 3, tokens: 4 },
    ],
  ])('%s', (_name, messages, tokens, most, expected) => {
    expect(chooseWindow(messages, { tokens, messages: most })).toEqual(expected);
  });

  it('never grows by a smaller limit, and never passes it', () => {
    const messages = turns(...Array.from({ length: 40 }, (_none, index) => [index % 7, (index * 5) % 11]));
    let before = Infinity;
    for (let limit = 300; limit >= 0; limit -= 1) {
      const window = chooseWindow(messages, { tokens: limit, messages: MANY });
      expect(window.tokens).toBeLessThanOrEqual(Math.min(limit, before));
      const inside = messages.filter(({ turnNumber }) => turnNumber >= (window.fromTurn ?? Infinity));
      expect(inside).toHaveLength(window.messages);
      before = window.tokens;
    }
  });
});
