import { GuardedFetch, type FetchFailureReason, type GuardedFetchOptions } from '#libs/guarded-fetch';
import { readRetryAfter } from '#libs/kernel';
import { isWebhookSecret } from '#libs/secrets';
import { Webhook } from 'standardwebhooks';

interface SignedWebhook {
  /** Equal for all attempts. */
  readonly id: string;
  /** Time of this attempt. */
  readonly timestamp: Date;
  readonly body: string;
}

export interface WebhookMessage extends SignedWebhook {
  readonly url: string;
  /** The active secret first, then those being rotated out. */
  readonly secrets: readonly string[];
}

export type SendResult =
  | { readonly kind: 'answered'; readonly statusCode: number; readonly retryAfterMs: number | null }
  /** No response; `reason` is safe to show to the endpoint's owner. */
  | { readonly kind: 'unanswered'; readonly reason: FetchFailureReason | 'invalid_secret' };

export type WebhookSenderOptions = GuardedFetchOptions;

/** Sends signed messages to customers' URLs: never to an internal address, and without following redirects. */
export class WebhookSender {
  private readonly guarded: GuardedFetch;

  constructor(options: WebhookSenderOptions) {
    this.guarded = new GuardedFetch(options);
  }

  /** One attempt. A message that cannot be signed is not sent. */
  async send(message: WebhookMessage): Promise<SendResult> {
    const { url, secrets, body } = message;
    if (secrets.length === 0 || !secrets.every(isWebhookSecret)) {
      return { kind: 'unanswered', reason: 'invalid_secret' };
    }
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'capstan',
      ...signWebhook(message, secrets),
    };
    const result = await this.guarded.request({ url, method: 'POST', headers, body });
    if (result.kind === 'unanswered') return result;
    const header = result.headers['retry-after'];
    const retryAfterMs = readRetryAfter(
      typeof header === 'string' ? header : null,
      message.timestamp.getTime(),
    );
    return { kind: 'answered', statusCode: result.statusCode, retryAfterMs };
  }

  async close(): Promise<void> {
    await this.guarded.close();
  }
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
