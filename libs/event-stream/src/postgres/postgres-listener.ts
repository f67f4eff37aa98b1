import { setTimeout as delay } from 'node:timers/promises';
import { Client, type ClientConfig } from 'pg';
import type { FailureLog } from '../event-stream-log.js';

const ANSWER_WITHIN_MS = 5_000;
const MAX_BACKOFF_MS = 5_000;

export interface PostgresListenerOptions {
  readonly connection: ClientConfig;
  /** A plain SQL identifier. */
  readonly channel: string;
  readonly pingEveryMs: number;
  readonly onMessage: (message: string) => void;
  /** Called when listening starts; earlier notifications may have been missed. */
  readonly onListening: () => void;
  /** Called when a connection that listened is lost. */
  readonly onLost?: () => void;
  readonly logFailure: FailureLog;
}

/** Receives the notifications of one channel on a LISTEN connection, and reconnects when it is lost. */
export class PostgresListener {
  private readonly closing = new AbortController();
  private readonly running: Promise<void>;
  private listening: Client | null = null;

  constructor(private readonly options: PostgresListenerOptions) {
    this.running = this.listenUntilClosed();
  }

  /** Throws if no LISTEN connection is open or it does not respond. */
  async check(): Promise<void> {
    if (this.listening === null) throw new Error('there is no LISTEN connection at the moment');
    await this.listening.query('SELECT 1');
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.running;
  }

  private async listenUntilClosed(): Promise<void> {
    const { signal } = this.closing;
    const isClosing = (): boolean => signal.aborted;
    let failures = 0;
    while (!isClosing()) {
      try {
        await this.listenUntilLost(() => (failures = 0));
      } catch (error) {
        if (isClosing()) return;
        this.options.logFailure('event stream: LISTEN connection lost', error);
      }
      const backoffMs = Math.min(100 * 2 ** failures, MAX_BACKOFF_MS);
      failures += 1;
      // Rejects only when closing.
      await delay(backoffMs, undefined, { signal }).catch(() => undefined);
    }
  }

  private async listenUntilLost(onListening: () => void): Promise<void> {
    const lost = new AbortController();
    const ended = AbortSignal.any([this.closing.signal, lost.signal]);
    const end = rejectionOf(ended);
    const client = new Client({
      ...this.options.connection,
      application_name: 'capstan-event-listener',
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
      keepAlive: true,
    });
    client.on('error', (error) => lost.abort(error));
    client.on('end', () => lost.abort(new Error('the server closed the connection')));
    client.on('notification', ({ payload }) => this.options.onMessage(payload ?? ''));
    try {
      await Promise.race([end, client.connect()]);
      await Promise.race([end, client.query(`LISTEN ${this.options.channel}`)]);
      this.listening = client;
      onListening();
      this.options.onListening();
      await Promise.race([end, pingForEver(client, this.options.pingEveryMs, ended)]);
    } finally {
      if (this.listening !== null) this.options.onLost?.();
      this.listening = null;
      lost.abort();
      // Not awaited: closing a half-open connection never completes.
      void client.end().catch(() => undefined);
    }
  }
}

/** A half-open connection is as silent as an idle one; only a query detects it. */
async function pingForEver(client: Client, everyMs: number, signal: AbortSignal): Promise<never> {
  for (;;) {
    await delay(everyMs, undefined, { signal, ref: false });
    await client.query('SELECT 1');
  }
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  const rejection = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(asError(signal.reason)), { once: true });
  });
  // Handled here, since the rejection may come between two races; each race still sees it.
  rejection.catch(() => undefined);
  return rejection;
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('the connection ended', { cause: reason });
}
