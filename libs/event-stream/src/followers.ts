import type { AppendWatch } from '#libs/executions';
import { AppendWatches } from './append-watches.js';
import type { FailureLog } from './event-stream-log.js';
import { type SendToAll, ANNOUNCED_EVERY_MS, SEPARATOR } from './followed-executions.js';
import { SettlementWatches } from './settlement-watches.js';
import { eventsOf, parseMessage, WHO_FOLLOWS } from './wake-up.js';

/** All subscribers of this process that wait for an execution's next event or its end. */
export class Followers {
  readonly appends = new AppendWatches();
  readonly settlements = new SettlementWatches();
  private readonly announcer: FollowerAnnouncer;

  constructor(send: SendToAll, logFailure: FailureLog) {
    this.announcer = new FollowerAnnouncer({ send, logFailure, followed: () => this.appends.followed() });
  }

  /** Opens a watch of the next events, which is announced to their writer once it waits for them. */
  follow(executionId: string): AppendWatch {
    return this.appends.open(executionId, () => this.announcer.announce(executionId));
  }

  /** @param message lines written by `toLine`, in this or another process */
  hear(message: string): void {
    if (message === WHO_FOLLOWS) {
      this.announcer.announceAll();
      return;
    }
    for (const wakeUp of parseMessage(message)) {
      const { executionId, isAtRest } = wakeUp;
      const isAwaited = isAtRest && this.settlements.has(executionId);
      // Most messages concern no subscriber of this process.
      if (!isAwaited && !this.appends.has(executionId)) continue;
      const events = eventsOf(wakeUp);
      this.appends.wake(executionId, events);
      if (isAwaited) this.settlements.wake(executionId, events);
    }
  }

  /** Called when messages may have been missed, a question for followers among them. */
  catchUp(): void {
    this.wakeAll();
    this.announcer.announceAll();
  }

  close(): void {
    this.announcer.close();
    this.wakeAll();
  }

  /** Makes all subscribers query the store. */
  private wakeAll(): void {
    this.appends.wakeAll();
    this.settlements.wakeAll();
  }
}

interface FollowerAnnouncerOptions {
  /** Executions that clients of this process follow. */
  readonly followed: () => Iterable<string>;
  readonly send: SendToAll;
  readonly logFailure: FailureLog;
}

/** Maximum executions of an announcement: PostgreSQL rejects a payload of 8 000 bytes. */
const MAX_TOGETHER = 200;

/**
 * Announces the executions that this process follows to the writers of their events. Announcements of one moment leave
 * together, and each is repeated while its follower stays. A lost one costs the follower seconds, and no event.
 */
class FollowerAnnouncer {
  /** Executions that leave with the next turn of the event loop. */
  private readonly pending = new Set<string>();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly options: FollowerAnnouncerOptions) {
    this.timer = setInterval(() => this.announceAll(), ANNOUNCED_EVERY_MS).unref();
  }

  announce(executionId: string): void {
    if (this.pending.size === 0) setImmediate(() => void this.flush());
    this.pending.add(executionId);
  }

  announceAll(): void {
    for (const executionId of this.options.followed()) this.announce(executionId);
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async flush(): Promise<void> {
    const ids = [...this.pending];
    this.pending.clear();
    try {
      for (let at = 0; at < ids.length; at += MAX_TOGETHER)
        await this.options.send('writers', ids.slice(at, at + MAX_TOGETHER).join(SEPARATOR));
    } catch (error) {
      this.options.logFailure('event stream: followers not announced', error);
    }
  }
}
