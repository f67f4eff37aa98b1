import { randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Generates a secret: `whsec_` and 32 random bytes as base64 (Standard Webhooks 1.0.0). */
export function generateWebhookSecret(): string {
  return `${PREFIX}${randomBytes(32).toString('base64')}`;
}

/** Whether the text is `whsec_` and 24–64 bytes as base64, the lengths that Standard Webhooks allows. */
export function isWebhookSecret(text: string): boolean {
  const encoded = text.slice(PREFIX.length);
  const { length } = Buffer.from(encoded, 'base64');
  return text.startsWith(PREFIX) && BASE64.test(encoded) && length >= 24 && length <= 64;
}
