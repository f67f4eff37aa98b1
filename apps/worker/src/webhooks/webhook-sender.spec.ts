import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { signWebhook } from './webhook-sender.js';

const KEYS = [Buffer.alloc(32, 1), Buffer.alloc(24, 2)] as const;
const secretOf = (key: Buffer): string => `whsec_${key.toString('base64')}`;

describe('signWebhook', () => {
  it('signs id, timestamp and body as Standard Webhooks 1.0.0 says, once per secret', () => {
    const message = { id: 'msg_1', timestamp: new Date(1_700_000_000_999), body: '{"a":"発注 🍎"}' };
    const signature = (key: Buffer): string =>
      `v1,${createHmac('sha256', key).update(`msg_1.1700000000.${message.body}`).digest('base64')}`;

    expect(signWebhook(message, KEYS.map(secretOf))).toEqual({
      'webhook-signature': `${signature(KEYS[0])} ${signature(KEYS[1])}`,
    });
  });
});
