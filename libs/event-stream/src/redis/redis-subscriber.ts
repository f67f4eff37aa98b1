import type { FailureLog } from '../event-stream-log.js';
import type { RedisConnection } from './redis-connection.js';

export interface RedisSubscriberOptions {
  readonly connection: RedisConnection;
  readonly channel: string;
  readonly pingEveryMs: number;
  readonly onMessage: (message: string) => void;
  /** Called when the subscription starts; earlier messages may have been missed. */
  readonly onListening: () => void;
  /** Called when the connection is lost. */
  readonly onLost?: () => void;
  readonly logFailure: FailureLog;
}

/** Receives the messages of one channel on a connection of its own. */
export class RedisSubscriber {
  private readonly pings: NodeJS.Timeout;
  private isClosed = false;

  constructor(private readonly options: RedisSubscriberOptions) {
    options.connection.onMessage(options.onMessage);
    options.connection.onReady(() => void this.subscribe());
    if (options.onLost !== undefined) options.connection.onLost(options.onLost);
    this.pings = setInterval(() => void this.ping(), options.pingEveryMs).unref();
  }

  /** Throws if the connection does not respond to a ping. */
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

  /** A half-open connection is as silent as an idle one; only a ping detects it. */
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
