import { GuardedFetch, type FetchFailureReason, type GuardedFetchOptions } from '#libs/guarded-fetch';
import { readRetryAfter } from '#libs/kernel';
import { webhookRequestHeaders } from '#libs/payloads';
import type { StoredAnswer } from '#libs/persistence';
import { isWebhookSecret } from '#libs/secrets';
import { keptAnswer } from './kept-answer.js';
import { Webhook } from 'standardwebhooks';

interface SignedWebhook {
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

export interface WebhookMessage extends SignedWebhook {
  readonly url: string;
  /** The active secret first, then those being rotated out. */
  readonly secrets: readonly string[];
}

export type SendResult =
  | {
      readonly kind: 'answered';
      readonly statusCode: number;
      readonly retryAfterMs: number | null;
      /** Present if the answer had a body. */
      readonly answer?: StoredAnswer;
    }
  /** No response; `reason` is safe to show to the endpoint's owner. */
  | { readonly kind: 'unanswered'; readonly reason: FetchFailureReason | 'invalid_secret' };

/** Sends signed messages to customers' URLs: never to an internal address, and without following redirects. */
export class WebhookSender {
  private readonly guarded: GuardedFetch;

  constructor(options: GuardedFetchOptions) {
    this.guarded = new GuardedFetch(options);
  }

  /** One attempt. A message that cannot be signed is not sent. */
  async send(message: WebhookMessage): Promise<SendResult> {
    const { id, timestamp, url, secrets, body } = message;
    if (secrets.length === 0 || !secrets.every(isWebhookSecret)) {
      return { kind: 'unanswered', reason: 'invalid_secret' };
    }
    const signed = signWebhook(message, secrets);
    const headers = { ...webhookRequestHeaders(id, timestamp), ...signed };
    const result = await this.guarded.request({ url, method: 'POST', headers, body });
    if (result.kind === 'unanswered') return result;
    const header = result.headers['retry-after'];
    const retryAfterMs = readRetryAfter(typeof header === 'string' ? header : null, timestamp.getTime());
    const answer = keptAnswer(result, [...secrets, ...signed['webhook-signature'].split(/[ ,]/)]);
    return { kind: 'answered', statusCode: result.statusCode, retryAfterMs, ...(answer && { answer }) };
  }

  async close(): Promise<void> {
    await this.guarded.close();
  }
}
