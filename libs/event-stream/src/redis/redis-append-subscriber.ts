import type { FailureLog } from '../event-stream-log.js';
import type { RedisConnection } from './redis-connection.js';

export interface RedisAppendSubscriberOptions {
  readonly connection: RedisConnection;
  readonly channel: string;
  readonly pingEveryMs: number;
  readonly onMessage: (message: string) => void;
  /** News may have been missed until now. */
  readonly onListening: () => void;
  readonly logFailure: FailureLog;
}

/** Is notified of every append through one connection of its own, however many watches there are. */
export class RedisAppendSubscriber {
  private readonly pings: NodeJS.Timeout;
  private isClosed = false;

  constructor(private readonly options: RedisAppendSubscriberOptions) {
    options.connection.onMessage(options.onMessage);
    options.connection.onReady(() => void this.subscribe());
    this.pings = setInterval(() => void this.ping(), options.pingEveryMs).unref();
  }

  /** Throws when it hears nothing now. */
  async check(): Promise<void> {
    await this.options.connection.run((redis) => redis.ping());
  }

  close(): void {
    this.isClosed = true;
    clearInterval(this.pings);
    this.options.connection.close();
  }

  private async subscribe(): Promise<void> {
    try {
      await this.options.connection.run((redis) => redis.subscribe(this.options.channel));
      this.options.onListening();
    } catch (error) {
      this.startAnew(error);
    }
  }

  /** A half-open connection is silent for ever, like an idle one; only asking distinguishes them. */
  private async ping(): Promise<void> {
    try {
      await this.options.connection.run((redis) => redis.ping());
    } catch (error) {
      this.startAnew(error);
    }
  }

  private startAnew(error: unknown): void {
    if (this.isClosed) return;
    this.options.logFailure('event stream: Redis subscription lost', error);
    this.options.connection.reconnect();
  }
}
