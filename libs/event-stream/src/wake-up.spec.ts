import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { parseMessage, toMessages } from './wake-up.js';

describe('the messages that wake followers', () => {
  it.each([0, 1, 2, 213, 214, 1_000])('name all of %i executions, in as few as PostgreSQL takes', (count) => {
    const ids = Array.from({ length: count }, () => randomUUID());
    const messages = toMessages(ids);
    expect(messages.flatMap(parseMessage)).toEqual(ids);
    expect(messages).toHaveLength(Math.ceil(count / 213));
    for (const message of messages) expect(Buffer.byteLength(message)).toBeLessThan(8_000);
  });

  it('name an execution once', () => {
    expect(toMessages(['a', 'b', 'a'])).toEqual(['a\nb']);
  });
});
