import type { BatchAnswer } from '#libs/concurrency';
import {
  EventStream,
  EventStreamConflictError,
  type AppendWatch,
  type FollowerWatch,
  type SettlementWatch,
} from '#libs/executions';
import { systemClock } from '#libs/kernel';
import type { ExecutionEvent, NumberedEvent } from '#libs/payloads';
import { z } from 'zod';
import { charactersOf, batchAppends, toAppend, type Append } from '../append-batches.js';
import { limitFailureLog, type EventStreamLog, type FailureLog } from '../event-stream-log.js';
import { EventStreamUnavailableError } from '../event-stream-unavailable-error.js';
import { ALWAYS_FOLLOWED, FollowedExecutions, type SendToAll } from '../followed-executions.js';
import { Followers } from '../followers.js';
import { MissedAppends } from '../missed-appends.js';
import { readKnownEvents } from '../stored-event.js';
import { RedisConnection } from './redis-connection.js';
import { RedisReads, toRows } from './redis-reads.js';
import { APPEND_SCRIPT, EXPIRE_SCRIPT } from './redis-scripts.js';
import { RedisSubscriber } from './redis-subscriber.js';

export interface RedisEventStreamOptions {
  /** `redis://` or `rediss://`. */
  readonly url: string;
  /**
   * Prefix of every key and channel. The execution id follows as hash tag, so that a cluster distributes the streams.
   */
  readonly keyPrefix?: string;
  /** Milliseconds that a stream is kept after its last append; default one day. */
  readonly retentionMs?: number;
  /** Milliseconds that an unresponsive Redis can delay a caller; default 1 000. */
  readonly commandTimeoutMs?: number;
  /** Milliseconds between health checks of the subscribed connection; default 5 000. */
  readonly pingEveryMs?: number;
  /** Milliseconds between polls for lost wake-ups; default 1 000. */
  readonly lookEveryMs?: number;
  /** Whether the writer hears of followers, on a connection of its own; default true. */
  readonly hearsFollowers?: boolean;
  readonly log: EventStreamLog;
}

const PING_EVERY_MS = 5_000;
const LOOK_EVERY_MS = 1_000;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** One batch at a time: on a single connection a second one would be processed after the first anyway. */
const LANES = 1;

const appendAnswerSchema = z.union([z.literal(0), z.literal(1)]);
const expireAnswerSchema = z.int();

/** Stores the events of each execution as one Redis Stream, with the event numbers as entry ids. */
export class RedisEventStream extends EventStream {
  private readonly commands: RedisConnection;
  private readonly reads: RedisReads;
  private readonly logFailure: FailureLog;
  private readonly followers: Followers;
  private readonly followed: FollowedExecutions;
  private readonly keyPrefix: string;
  private readonly retentionMs: number;
  private readonly appends = batchAppends({
    appendTogether: (appends) => this.appendTogether(appends),
    mayRunAlone: () => false,
    lanes: LANES,
  });
  private readonly missed: MissedAppends;
  private subscriber: RedisSubscriber | null = null;
  private followedSubscriber: RedisSubscriber | null = null;

  constructor(private readonly options: RedisEventStreamOptions) {
    super();
    this.keyPrefix = options.keyPrefix ?? 'capstan:events';
    this.retentionMs = options.retentionMs ?? DAY_MS;
    this.logFailure = limitFailureLog(options.log, systemClock);
    const send: SendToAll = (to, message) =>
      this.commands.run((redis) =>
        redis.publish(to === 'writers' ? this.followedChannel : this.channel, message),
      );
    this.followers = new Followers(send, this.logFailure);
    this.followed = new FollowedExecutions(systemClock, send, this.logFailure);
    this.commands = this.connect('commands');
    this.reads = new RedisReads(this.commands);
    this.missed = new MissedAppends({
      watches: this.followers.appends,
      findGrown: (lastIds) => this.findGrown(lastIds),
      everyMs: options.lookEveryMs ?? LOOK_EVERY_MS,
      logFailure: this.logFailure,
    });
  }

  async append(executionId: string, firstId: number, events: readonly ExecutionEvent[]): Promise<void> {
    if (events.length === 0) return;
    const isAppended = await this.appends.call(toAppend(executionId, firstId, events));
    if (!isAppended) throw new EventStreamConflictError(executionId, firstId);
  }

  async lastId(executionId: string): Promise<number> {
    const entries = await this.commands.run((redis) =>
      redis.xrevrange(this.keyOf(executionId), '+', '-', 'COUNT', 1),
    );
    return toRows(entries)[0]?.id ?? 0;
  }

  readAfter(executionId: string, afterId: number, limit: number): Promise<readonly NumberedEvent[]> {
    const key = this.keyOf(executionId);
    const fetchRows = (from: number, wanted: number) =>
      this.reads.read({ key, afterId: from, limit: wanted });
    return readKnownEvents(fetchRows, afterId, limit, (description) =>
      this.logFailure('event stream: an event of another shape was passed over', description),
    );
  }

  watch(executionId: string): AppendWatch {
    this.subscriber ??= this.subscribe();
    return this.followers.follow(executionId);
  }

  watchFollowers(executionId: string, onArrival: () => void): FollowerWatch {
    if (this.options.hearsFollowers === false) return ALWAYS_FOLLOWED;
    this.followedSubscriber ??= this.subscribeToFollowers();
    return this.followed.watch(executionId, onArrival);
  }

  watchSettlement(executionId: string): SettlementWatch {
    this.subscriber ??= this.subscribe();
    return this.followers.settlements.open(executionId);
  }

  async delete(executionId: string): Promise<void> {
    await this.commands.run((redis) => redis.unlink(this.keyOf(executionId)));
  }

  async expire(olderThanMs: number): Promise<number> {
    let dropped = 0;
    let cursor = '0';
    do {
      const [next, keys] = await this.commands.run((redis) =>
        redis.scan(cursor, 'MATCH', `${escapePattern(this.keyPrefix)}:{*}`, 'COUNT', 500),
      );
      for (const count of await Promise.all(keys.map((key) => this.expireKey(key, olderThanMs))))
        dropped += count;
      cursor = next;
    } while (cursor !== '0');
    return dropped;
  }

  async check(): Promise<void> {
    await Promise.all([this.commands.run((redis) => redis.ping()), this.subscriber?.check()]);
  }

  /** Closes all connections and wakes all waiters. */
  close(): Promise<void> {
    this.missed.close();
    this.subscriber?.close();
    this.followedSubscriber?.close();
    this.commands.close();
    this.followers.close();
    return Promise.resolve();
  }

  /** Runs one script per append, since a script is limited to one key, and pipelines them in one round trip. */
  private async appendTogether(appends: readonly Append[]): Promise<BatchAnswer<boolean>[]> {
    const scripts = appends.map((append) => this.toScript(append));
    const characters = appends.reduce((sum, append) => sum + charactersOf(append), 0);
    const answers = await this.commands.run((redis) => redis.pipeline(scripts).exec(), characters);
    return (answers ?? []).map(([error, answer]) => {
      if (error !== null) return { kind: 'failed', error: new EventStreamUnavailableError(error) };
      return { kind: 'done', value: appendAnswerSchema.parse(answer) === 1 };
    });
  }

  private toScript({ executionId, firstId, events, line }: Append): (string | number)[] {
    const fields = events.flatMap(({ event, data }) => [event, data]);
    const first = [firstId, this.retentionMs, this.channel, line];
    const script = ['eval', APPEND_SCRIPT, 1, this.keyOf(executionId), ...first];
    // No spread: a large batch exceeds the number of arguments of a function call.
    return script.concat(fields);
  }

  /** XREAD returns only streams with newer entries. */
  private async findGrown(lastIds: readonly (readonly [string, number])[]): Promise<readonly string[]> {
    const byKey = new Map(lastIds.map(([id]) => [this.keyOf(id), id]));
    const ids = lastIds.map(([, last]) => `${last}-0`);
    const answer = await this.commands.run((redis) =>
      redis.xread('COUNT', 1, 'STREAMS', ...byKey.keys(), ...ids),
    );
    return (answer ?? []).flatMap(([key]) => byKey.get(key) ?? []);
  }

  private async expireKey(key: string, olderThanMs: number): Promise<number> {
    const answer = await this.commands.run((redis) =>
      redis.eval(EXPIRE_SCRIPT, 1, key, this.retentionMs, olderThanMs),
    );
    return expireAnswerSchema.parse(answer);
  }

  private subscribe(): RedisSubscriber {
    return new RedisSubscriber({
      ...this.subscribing('subscriber'),
      channel: this.channel,
      onMessage: (message) => this.followers.hear(message),
      onListening: () => this.followers.catchUp(),
    });
  }

  private subscribeToFollowers(): RedisSubscriber {
    return new RedisSubscriber({
      ...this.subscribing('writer'),
      channel: this.followedChannel,
      onMessage: (announcement) => this.followed.hear(announcement),
      onListening: () => void this.followed.catchUp(),
      onLost: () => this.followed.lose(),
    });
  }

  private subscribing(role: 'subscriber' | 'writer') {
    const { pingEveryMs = PING_EVERY_MS } = this.options;
    return { connection: this.connect(role), pingEveryMs, logFailure: this.logFailure };
  }

  private connect(role: 'commands' | 'subscriber' | 'writer'): RedisConnection {
    const { url, commandTimeoutMs = 1_000 } = this.options;
    const name = `${this.keyPrefix}:${role}`;
    return new RedisConnection({ url, name, commandTimeoutMs, logFailure: this.logFailure });
  }

  private get channel(): string {
    return `${this.keyPrefix}:appended`;
  }

  /** Channel of announcements: a message names executions with followers. */
  private get followedChannel(): string {
    return `${this.keyPrefix}:followed`;
  }

  private keyOf(executionId: string): string {
    return `${this.keyPrefix}:{${executionId}}`;
  }
}

function escapePattern(text: string): string {
  return text.replace(/[\\*?[\]^]/g, '\\$&');
}
