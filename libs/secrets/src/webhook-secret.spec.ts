import { describe, expect, it } from '@jest/globals';
import { generateWebhookSecret, isWebhookSecret } from './webhook-secret.js';

const ofBytes = (count: number): string => `whsec_${Buffer.alloc(count, 0xfb).toString('base64')}`;

describe('generateWebhookSecret', () => {
  it('makes a valid secret of 32 bytes, a new one each time', () => {
    const [first, second] = [generateWebhookSecret(), generateWebhookSecret()];
    expect(first).not.toBe(second);
    expect(isWebhookSecret(first)).toBe(true);
    expect(Buffer.from(first.slice('whsec_'.length), 'base64')).toHaveLength(32);
  });
});

describe('isWebhookSecret', () => {
  it.each([
    [ofBytes(24), true],
    [ofBytes(25), true],
    [ofBytes(64), true],
    [ofBytes(23), false],
    [ofBytes(65), false],
    [ofBytes(32).replace('whsec_', ''), false],
    [ofBytes(32).replace('whsec_', 'WHSEC_'), false],
    [`${ofBytes(32)} `, false],
    [ofBytes(32).replace('+', '-'), false],
    ['whsec_', false],
    ['', false],
  ])('%j → %p', (text, expected) => expect(isWebhookSecret(text)).toBe(expected));
});
