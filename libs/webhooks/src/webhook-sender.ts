import { readRetryAfter } from '#libs/kernel';
import { request, type Agent, type Dispatcher } from 'undici';
import { BlockedAddressError, guardedAgent, type GuardOptions } from './guarded-connect.js';
import { signWebhook, type SignedWebhook } from './sign-webhook.js';

export interface WebhookMessage extends SignedWebhook {
  readonly url: string;
  /** The active secret first, then those that are being replaced. */
  readonly secrets: readonly string[];
}

export type SendResult =
  | { readonly kind: 'answered'; readonly statusCode: number; readonly retryAfterMs: number | null }
  /** Nobody answered; `reason` is safe to show to the endpoint's owner. */
  | { readonly kind: 'unanswered'; readonly reason: 'blocked_address' | 'timeout' | 'connection_failed' };

export interface WebhookSenderOptions extends Omit<GuardOptions, 'connectTimeoutMs'> {
  /** From the first byte sent to the last one read. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 15_000;
/** Nobody needs the answer's body; what is more than this ends the connection. */
const MOST_READ_BYTES = 64 * 1_024;

/** Sends signed messages to wherever customers asked: never to an internal address, never after a redirect. */
export class WebhookSender {
  private readonly agent: Agent;
  private readonly timeoutMs: number;

  constructor(options: WebhookSenderOptions) {
    this.timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
    this.agent = guardedAgent({ ...options, connectTimeoutMs: this.timeoutMs });
  }

  async send(message: WebhookMessage): Promise<SendResult> {
    const signal = AbortSignal.timeout(this.timeoutMs);
    try {
      const answer = await request(message.url, {
        method: 'POST',
        dispatcher: this.agent,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'capstan',
          ...signWebhook(message, message.secrets),
        },
        body: message.body,
        signal,
      });
      await drain(answer.body);
      const header = answer.headers['retry-after'];
      const retryAfterMs = readRetryAfter(
        typeof header === 'string' ? header : null,
        message.timestamp.getTime(),
      );
      return { kind: 'answered', statusCode: answer.statusCode, retryAfterMs };
    } catch (error) {
      return { kind: 'unanswered', reason: explain(error, signal) };
    }
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }
}

async function drain(body: Dispatcher.ResponseData['body']): Promise<void> {
  let read = 0;
  for await (const chunk of body) {
    read += (chunk as Buffer).byteLength;
    // Leaving the loop destroys the body and with it the connection.
    if (read > MOST_READ_BYTES) return;
  }
}

function explain(error: unknown, signal: AbortSignal): Extract<SendResult, { kind: 'unanswered' }>['reason'] {
  if (error instanceof BlockedAddressError) return 'blocked_address';
  const isTimeout =
    signal.aborted || (error instanceof Error && 'code' in error && error.code === 'UND_ERR_CONNECT_TIMEOUT');
  return isTimeout ? 'timeout' : 'connection_failed';
}
