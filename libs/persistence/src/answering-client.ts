import pg from 'pg';
import { classifyDatabaseError } from './database-failure.js';

/** Interval of pings on an idle connection, and time limit of their answer. */
const PING_EVERY_MS = 5_000;

/** Configuration of this client beside that of pg. A pool hands it on. */
export interface AnsweringClientConfig extends pg.ClientConfig {
  readonly pingEveryMs?: number;
}

/** Parts of a client that pg's own pool uses as well, though the types of pg leave them out. */
interface Insides {
  readonly connection: { emit(event: 'error', error: Error): boolean; readonly stream: { destroy(): void } };
  readonly _ending: boolean;
  readonly _queryable: boolean;
}

/**
 * A client that closes its connection when the connection is of no more use, rather than hand it to the next caller: when a
 * statement stays unanswered, when the server refuses writes, and when an idle connection does not answer a ping. A
 * connection that a failover or a NAT has cut is as silent as an idle one; only a ping shows the difference. Every holder of
 * the connection gets an error.
 *
 * Statements given at once run one after the other, each sent when the one before it is answered: TypeORM reads a schema
 * like that, and pg 9 has no queue of its own.
 *
 * The end of a connection is never an unhandled error event. TypeORM and BullMQ listen only after the connection stands; a
 * connection that ends at that moment, as when the server stops, would end the process.
 */
export class AnsweringClient extends pg.Client {
  private readonly pingEveryMs: number;
  private pings: NodeJS.Timeout | undefined;
  /** Statements that were given and not answered yet, with those that wait. */
  private unanswered = 0;
  private readonly waiting: (() => void)[] = [];
  private lastUsedAt = performance.now();

  constructor(config?: string | AnsweringClientConfig) {
    super(config);
    this.pingEveryMs = (typeof config === 'object' ? config.pingEveryMs : undefined) ?? PING_EVERY_MS;
    this.on('error', () => undefined);
    this.once('connect', () => {
      this.pings = setInterval(() => this.pingIfIdle(), this.pingEveryMs).unref();
    });
    this.once('end', () => clearInterval(this.pings));
    const query = this.query.bind(this) as (...call: unknown[]) => unknown;
    this.query = ((...call: unknown[]) => this.watch(query, call)) as typeof this.query;
  }

  /** Both ways to get an answer: by promise, and by callback as pg's pool does it. */
  private watch(query: (...call: unknown[]) => unknown, call: readonly unknown[]): unknown {
    if (!isStatement(call[0])) return query(...call);
    const callback = call.at(-1);
    if (typeof callback === 'function') {
      this.inTurn(() =>
        query(...call.slice(0, -1), (error: unknown, ...answer: unknown[]) => {
          this.settle(error);
          (callback as (...answer: unknown[]) => void)(error, ...answer);
        }),
      );
      return undefined;
    }
    return new Promise((resolve) => {
      this.inTurn(() => {
        const answer = query(...call) as Promise<unknown>;
        answer.then(
          () => this.settle(null),
          (error: unknown) => this.settle(error),
        );
        resolve(answer);
      });
    });
  }

  private inTurn(send: () => void): void {
    this.unanswered += 1;
    if (this.unanswered === 1) send();
    else this.waiting.push(send);
  }

  private settle(error: unknown): void {
    this.unanswered -= 1;
    this.lastUsedAt = performance.now();
    if (error) {
      const failure = classifyDatabaseError(error);
      if (failure.kind !== 'ours' && failure.needsNewConnection) this.giveUp(error);
    }
    this.waiting.shift()?.();
  }

  /** Sends no ping within a transaction: there the database ends a connection that is silent for too long. */
  private pingIfIdle(): void {
    const isIdle = this.unanswered === 0 && performance.now() - this.lastUsedAt >= this.pingEveryMs;
    if (!isIdle || this.getTransactionStatus() !== 'I') return;
    const ping = { text: 'SELECT 1', query_timeout: this.pingEveryMs };
    this.query(ping).catch(() => undefined);
  }

  private giveUp(cause: unknown): void {
    const { connection, _ending: isEnding, _queryable: isUsable } = this as unknown as Insides;
    if (isEnding || !isUsable) return;
    connection.emit('error', new Error('Connection terminated: it was of no more use', { cause }));
    connection.stream.destroy();
  }
}

/** A statement is a text, or an object with one; a cursor sends itself. */
function isStatement(given: unknown): boolean {
  return typeof given === 'string' || (typeof given === 'object' && given !== null && !('submit' in given));
}
