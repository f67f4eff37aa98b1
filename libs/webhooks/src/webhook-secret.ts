import { randomBytes } from 'node:crypto';

/** A secret of its own for each endpoint: `whsec_` and 32 random bytes as base64 (Standard Webhooks 1.0.0). */
export function generateWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
