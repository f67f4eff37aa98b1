import { Turns, type BatchAnswer } from '#libs/concurrency';
import {
  EventStream,
  EventStreamConflictError,
  type AppendWatch,
  type FollowerWatch,
  type SettlementWatch,
} from '#libs/executions';
import { systemClock } from '#libs/kernel';
import type { ExecutionEvent, NumberedEvent } from '#libs/payloads';
import { DatabaseError, type ClientConfig, type Pool } from 'pg';
import { z } from 'zod';
import { batchAppends, toAppend, type Append } from '../append-batches.js';
import { limitFailureLog, type EventStreamLog, type FailureLog } from '../event-stream-log.js';
import { EventStreamUnavailableError } from '../event-stream-unavailable-error.js';
import { ALWAYS_FOLLOWED, FollowedExecutions, type SendToAll } from '../followed-executions.js';
import { Followers } from '../followers.js';
import { MissedAppends } from '../missed-appends.js';
import { readKnownEvents, type StoredRow } from '../stored-event.js';
import { packLines } from '../wake-up.js';
import { PostgresListener } from './postgres-listener.js';
import {
  APPEND,
  CHANNEL,
  DELETE,
  EXPIRE,
  FIND_GROWN,
  FOLLOWED_CHANNEL,
  LAST_ID,
  NOTIFY,
  READ_AFTER,
} from './postgres-statements.js';

export interface PostgresEventStreamOptions {
  /** Shared pool; never closed here. */
  readonly pool: Pool;
  /**
   * Settings of the LISTEN connection; default: those of the pool. LISTEN does not work through a transaction pooler.
   */
  readonly listen?: ClientConfig;
  /** Milliseconds that a caller waits for an unresponsive database, for its turn and for the query each; default 5 000. */
  readonly queryTimeoutMs?: number;
  /** Milliseconds between health checks of the LISTEN connection; default 5 000. */
  readonly pingEveryMs?: number;
  /** Milliseconds between polls for lost wake-ups; default 1 000. */
  readonly lookEveryMs?: number;
  /** Whether the writer hears of followers, on a LISTEN connection of its own; default true. */
  readonly hearsFollowers?: boolean;
  readonly log: EventStreamLog;
}

const PING_EVERY_MS = 5_000;
const LOOK_EVERY_MS = 1_000;
/** Share of the pool's connections for events, so that other work continues while the event table is locked. */
const SHARE_OF_POOL = 0.4;
/** Maximum append statements in flight: the second one need not wait for the commit of the first. */
const LANES = 2;
const UNIQUE_VIOLATION = '23505';
const DEADLOCK = '40P01';
/** SQLSTATE classes of data that PostgreSQL cannot store: invalid values, and exceeded limits. */
const UNSTORABLE = /^(22|54)/u;

const eventRowSchema = z.object({ id: z.int(), event: z.string(), data: z.unknown() });
const grownRowSchema = z.object({ id: z.string() });
const lastIdRowSchema = z.object({ id: z.int() });
const appendedRowSchema = z.object({ places: z.array(z.int()) });

/** Stores the events of all executions in the unlogged table `execution_event`; LISTEN and NOTIFY wake subscribers. */
export class PostgresEventStream extends EventStream {
  private readonly logFailure: FailureLog;
  private readonly followers: Followers;
  private readonly followed: FollowedExecutions;
  private readonly queryTimeoutMs: number;
  private readonly turns = new Turns();
  /** Maximum concurrent queries, which leaves connections to more important work. */
  private readonly atOnce: number;
  private readonly appends = batchAppends({
    appendTogether: (appends) => this.appendTogether(appends),
    mayRunAlone: (error) => hasDoneNothing(sqlStateOf(error)),
    lanes: LANES,
  });
  private readonly missed: MissedAppends;
  private listener: PostgresListener | null = null;
  private followedListener: PostgresListener | null = null;

  constructor(private readonly options: PostgresEventStreamOptions) {
    super();
    this.logFailure = limitFailureLog(options.log, systemClock);
    const send: SendToAll = (to, message) =>
      this.query(NOTIFY, [to === 'writers' ? FOLLOWED_CHANNEL : CHANNEL, message]);
    this.followers = new Followers(send, this.logFailure);
    this.followed = new FollowedExecutions(systemClock, send, this.logFailure);
    this.queryTimeoutMs = options.queryTimeoutMs ?? 5_000;
    this.atOnce = Math.max(1, Math.floor(options.pool.options.max * SHARE_OF_POOL));
    this.missed = new MissedAppends({
      watches: this.followers.appends,
      findGrown: (lastIds) => this.findGrown(lastIds),
      everyMs: options.lookEveryMs ?? LOOK_EVERY_MS,
      logFailure: this.logFailure,
    });
    options.pool.on('error', this.onPoolError);
  }

  async append(executionId: string, firstId: number, events: readonly ExecutionEvent[]): Promise<void> {
    if (events.length === 0) return;
    const isAppended = await this.appends.call(toAppend(executionId, firstId, events));
    if (!isAppended) throw new EventStreamConflictError(executionId, firstId);
  }

  async lastId(executionId: string): Promise<number> {
    const { rows } = await this.query(LAST_ID, [executionId]);
    return lastIdRowSchema.parse(rows[0]).id;
  }

  readAfter(executionId: string, afterId: number, limit: number): Promise<readonly NumberedEvent[]> {
    const fetchRows = (from: number, wanted: number) => this.fetchRows(executionId, from, wanted);
    return readKnownEvents(fetchRows, afterId, limit, (description) =>
      this.logFailure('event stream: an event of another shape was passed over', description),
    );
  }

  watch(executionId: string): AppendWatch {
    this.listener ??= this.listen();
    return this.followers.follow(executionId);
  }

  watchFollowers(executionId: string, onArrival: () => void): FollowerWatch {
    if (this.options.hearsFollowers === false) return ALWAYS_FOLLOWED;
    this.followedListener ??= this.listenForFollowers();
    return this.followed.watch(executionId, onArrival);
  }

  watchSettlement(executionId: string): SettlementWatch {
    this.listener ??= this.listen();
    return this.followers.settlements.open(executionId);
  }

  async delete(executionId: string): Promise<void> {
    await this.query(DELETE, [executionId]);
  }

  async expire(olderThanMs: number): Promise<number> {
    const { rowCount } = await this.query(EXPIRE, [olderThanMs / 1_000]);
    return rowCount;
  }

  async check(): Promise<void> {
    await this.listener?.check();
  }

  /** Closes the LISTEN connections and wakes all waiters; the pool stays open. */
  async close(): Promise<void> {
    this.options.pool.off('error', this.onPoolError);
    this.missed.close();
    await Promise.all([this.listener?.close(), this.followedListener?.close()]);
    this.followers.close();
  }

  private async appendTogether(appends: readonly Append[]): Promise<BatchAnswer<boolean>[]> {
    try {
      const { rows } = await this.query(APPEND, toParameters(appends));
      const places = new Set(appendedRowSchema.parse(rows[0]).places);
      return appends.map((_append, index) => ({ kind: 'done', value: places.has(index + 1) }));
    } catch (error) {
      // Two concurrent writers do not see each other's rows, but the primary key rejects the second.
      if (appends.length === 1 && sqlStateOf(error) === UNIQUE_VIOLATION)
        return [{ kind: 'done', value: false }];
      throw error;
    }
  }

  private async fetchRows(
    executionId: string,
    afterId: number,
    limit: number,
  ): Promise<readonly StoredRow[]> {
    const { rows } = await this.query(READ_AFTER, [executionId, afterId, limit]);
    return z.array(eventRowSchema).parse(rows);
  }

  private async findGrown(lastIds: readonly (readonly [string, number])[]): Promise<readonly string[]> {
    const { rows } = await this.query(FIND_GROWN, [
      lastIds.map(([id]) => id),
      lastIds.map(([, last]) => last),
    ]);
    return z
      .array(grownRowSchema)
      .parse(rows)
      .map(({ id }) => id);
  }

  private async query(
    text: string,
    values: unknown[],
  ): Promise<{ rows: readonly unknown[]; rowCount: number }> {
    const query = { text, values, query_timeout: this.queryTimeoutMs };
    const isIn = await this.turns.enter(this.atOnce, () => AbortSignal.timeout(this.queryTimeoutMs));
    if (!isIn) throw new EventStreamUnavailableError(new Error(`no turn within ${this.queryTimeoutMs} ms`));
    try {
      const { rows, rowCount } = await this.options.pool.query<Record<string, unknown>>(query);
      return { rows, rowCount: rowCount ?? 0 };
    } catch (error) {
      throw new EventStreamUnavailableError(error);
    } finally {
      this.turns.leave(this.atOnce);
    }
  }

  private listen(): PostgresListener {
    return new PostgresListener({
      ...this.listening,
      channel: CHANNEL,
      onMessage: (message) => this.followers.hear(message),
      onListening: () => this.followers.catchUp(),
    });
  }

  private listenForFollowers(): PostgresListener {
    return new PostgresListener({
      ...this.listening,
      channel: FOLLOWED_CHANNEL,
      onMessage: (announcement) => this.followed.hear(announcement),
      onListening: () => void this.followed.catchUp(),
      onLost: () => this.followed.lose(),
    });
  }

  private get listening() {
    const { listen, pool, pingEveryMs = PING_EVERY_MS } = this.options;
    return { connection: listen ?? pool.options, pingEveryMs, logFailure: this.logFailure };
  }

  /** Without a handler, an idle connection that the server closes would crash the process. */
  private readonly onPoolError = (error: unknown): void => {
    this.logFailure('event stream: idle database connection lost', error);
  };
}

/** The parameters of `APPEND`. */
function toParameters(appends: readonly Append[]): unknown[] {
  const events = appends.flatMap(({ firstId, events: stored }, index) =>
    stored.map((event, offset) => ({ ...event, place: index + 1, id: firstId + offset })),
  );
  const lines = appends.map(({ line }) => line);
  return [
    appends.map(({ executionId }) => executionId),
    appends.map(({ firstId }) => firstId),
    events.map(({ place }) => place),
    events.map(({ id }) => id),
    events.map(({ event }) => event),
    events.map(({ data }) => data),
    packLines(lines),
    lines,
  ];
}

/**
 * Whether a statement with this error was rolled back, and running the appends one by one may succeed for the
 * unaffected ones.
 */
function hasDoneNothing(sqlState: string | undefined): boolean {
  if (sqlState === undefined) return false;
  return sqlState === UNIQUE_VIOLATION || sqlState === DEADLOCK || UNSTORABLE.test(sqlState);
}

function sqlStateOf(error: unknown): string | undefined {
  const cause = error instanceof EventStreamUnavailableError ? error.cause : undefined;
  return cause instanceof DatabaseError ? cause.code : undefined;
}
