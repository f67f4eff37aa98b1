import { Webhook } from 'standardwebhooks';

export interface SignedWebhook {
  /** Equal for all attempts. */
  readonly id: string;
  /** Time of this attempt. */
  readonly timestamp: Date;
  readonly body: string;
}

/** Header with one signature per secret, as Standard Webhooks says, so that a secret is rotated without interruption. */
export function signWebhook(
  message: SignedWebhook,
  secrets: readonly string[],
): { 'webhook-signature': string } {
  const signatures = secrets.map((secret) =>
    new Webhook(secret).sign(message.id, message.timestamp, message.body),
  );
  return { 'webhook-signature': signatures.join(' ') };
}
