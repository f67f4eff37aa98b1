import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { parseMessage, toMessages, type WakeUp } from './wake-up.js';

const grown = (executionId: string): WakeUp => ({ executionId, isAtRest: false, result: null });
const ended = (executionId: string, result: string | null): WakeUp => ({
  executionId,
  isAtRest: true,
  result,
});

describe('the messages that wake followers', () => {
  it.each([0, 1, 2, 213, 214, 1_000])('name all of %i executions, in as few as PostgreSQL takes', (count) => {
    const wakeUps = Array.from({ length: count }, () => grown(randomUUID()));
    const messages = toMessages(wakeUps);
    expect(messages.flatMap(parseMessage)).toEqual(wakeUps);
    expect(messages).toHaveLength(Math.ceil(count / 213));
    for (const message of messages) expect(Buffer.byteLength(message)).toBeLessThan(8_000);
  });

  it('name an execution once', () => {
    expect(toMessages(['a', 'b', 'a'].map(grown))).toEqual(['a\nb']);
  });

  it('have the results that there is room for, and name the others', () => {
    const result = JSON.stringify({ content: 'two\nlines, 発注' });
    const big = JSON.stringify({ content: '注'.repeat(2_700) });
    const sent = [ended('a', result), ended('b', null), grown('c'), ended('d', big), ended('e', '{}')];

    const messages = toMessages(sent);

    expect(messages.flatMap(parseMessage)).toEqual(sent.with(3, ended('d', null)));
    const many = toMessages(
      Array.from({ length: 50 }, (_unused, at) => ended(`${at}`, `"${'x'.repeat(1_000)}"`)),
    );
    expect(many).toHaveLength(8);
    for (const message of many) expect(Buffer.byteLength(message)).toBeLessThan(8_000);
  });
});
