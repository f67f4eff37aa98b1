import { Webhook } from 'standardwebhooks';

export interface SignedWebhook {
  /** Equal for all attempts. */
  readonly id: string;
  /** Time of this attempt. */
  readonly timestamp: Date;
  readonly body: string;
}

/**
 * Headers of Standard Webhooks, with one signature per secret, so that a secret can be rotated without interruption.
 */
export function signWebhook(message: SignedWebhook, secrets: readonly string[]): Record<string, string> {
  const signatures = secrets.map((secret) =>
    new Webhook(secret).sign(message.id, message.timestamp, message.body),
  );
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(Math.floor(message.timestamp.getTime() / 1_000)),
    'webhook-signature': signatures.join(' '),
  };
}
