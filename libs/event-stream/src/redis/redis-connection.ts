import { Redis } from 'ioredis';
import type { FailureLog } from '../event-stream-log.js';
import { EventStreamUnavailableError } from '../event-stream-unavailable-error.js';

export interface RedisConnectionOptions {
  /** `redis://` or `rediss://`. */
  readonly url: string;
  /** Shown by CLIENT LIST. */
  readonly name: string;
  /** Milliseconds that a caller waits for an unresponsive Redis, beside the time that its command is on its way. */
  readonly commandTimeoutMs: number;
  readonly logFailure: FailureLog;
}

/** Command timeouts of silence after which a connection is replaced. */
const SILENCES = 3;
/** Characters that are sent in a millisecond at least, by a busy process over a slow network: files of 5 MiB are events. */
const CHARACTERS_PER_MS = 2_000;

/**
 * A connection that reconnects by itself. Commands are neither queued offline nor resent, since a command that timed
 * out for its caller must not reach Redis after the reconnect.
 */
export class RedisConnection {
  private readonly redis: Redis;
  private readiness: Promise<void> | null = null;

  constructor(private readonly options: RedisConnectionOptions) {
    this.redis = new Redis(options.url, {
      connectionName: options.name,
      // Replaces a connection that is silent with commands pending, since later commands would time out too.
      socketTimeout: SILENCES * options.commandTimeoutMs,
      connectTimeout: 5_000,
      disconnectTimeout: 200,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      autoResubscribe: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (attempt) => Math.min(100 * attempt, 2_000),
    });
    this.redis.on('error', (error) => options.logFailure('event stream: Redis connection failed', error));
  }

  /**
   * Runs `command` once Redis is ready; throws `EventStreamUnavailableError` within the command timeout, which is longer by
   * the time that so many characters take to be sent.
   */
  async run<Answer>(command: (redis: Redis) => Promise<Answer>, characters = 0): Promise<Answer> {
    try {
      await this.ready();
      const limitMs = this.options.commandTimeoutMs + Math.ceil(characters / CHARACTERS_PER_MS);
      return await withinTime(command(this.redis), limitMs);
    } catch (error) {
      throw new EventStreamUnavailableError(error);
    }
  }

  /** Calls `handler` now if connected, and after every reconnect. */
  onReady(handler: () => void): void {
    this.redis.on('ready', handler);
    if (this.redis.status === 'ready') handler();
  }

  /** Calls `handler` after every loss of the connection. */
  onLost(handler: () => void): void {
    this.redis.on('close', handler);
  }

  onMessage(handler: (message: string) => void): void {
    this.redis.on('message', (_channel, message) => handler(message));
  }

  /** Replaces a connection that no longer responds. */
  reconnect(): void {
    this.redis.disconnect(true);
  }

  close(): void {
    this.redis.disconnect();
  }

  /** Waits out a short outage. All callers share one promise. */
  private ready(): Promise<void> {
    if (this.redis.status === 'ready') return Promise.resolve();
    this.readiness ??= this.becomesReady().finally(() => (this.readiness = null));
    return this.readiness;
  }

  private becomesReady(): Promise<void> {
    return new Promise((resolve, reject) => {
      const finish = (): void => {
        clearTimeout(timer);
        this.redis.off('ready', finish);
        this.redis.off('end', finish);
        if (this.redis.status === 'ready') resolve();
        else reject(new Error(`Redis is ${this.redis.status}`));
      };
      const timer = setTimeout(finish, this.options.commandTimeoutMs);
      this.redis.on('ready', finish);
      this.redis.on('end', finish);
    });
  }
}

/** Ends its timer with the command: under load, thousands of timeout signals would each create an error later. */
async function withinTime<Answer>(answer: Promise<Answer>, limitMs: number): Promise<Answer> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('Command timed out')), limitMs);
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
