import { randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

/** Generates a secret: `whsec_` and 32 random bytes as base64 (Standard Webhooks 1.0.0). */
export function generateWebhookSecret(): string {
  return `${PREFIX}${randomBytes(32).toString('base64')}`;
}

const BLOCK = '[A-Za-z0-9+/]{4}';
const TAILS = { ofOne: '[A-Za-z0-9+/]{2}==', ofTwo: '[A-Za-z0-9+/]{3}=' };

/** `whsec_` and 24–64 bytes as base64, the lengths that Standard Webhooks allows. */
export const WEBHOOK_SECRET = new RegExp(
  `^${PREFIX}(?:(?:${BLOCK}){8,20}(?:${TAILS.ofOne}|${TAILS.ofTwo})?|(?:${BLOCK}){21}(?:${TAILS.ofOne})?)$`,
);

/** Whether the text is such a secret. */
export function isWebhookSecret(text: string): boolean {
  return WEBHOOK_SECRET.test(text);
}
