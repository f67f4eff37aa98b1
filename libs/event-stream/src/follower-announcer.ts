import type { FailureLog } from './event-stream-log.js';
import { ANNOUNCED_EVERY_MS, SEPARATOR, type SendToAll } from './followed-executions.js';

export interface FollowerAnnouncerOptions {
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
export class FollowerAnnouncer {
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
