import { BatchExecutor } from '#libs/concurrency';
import type { FailureLog } from './event-stream-log.js';
import { ANNOUNCED_EVERY_MS, SEPARATOR, type SendToAll } from './followed-executions.js';

export interface FollowerAnnouncerOptions {
  /** Executions with an open watch in this process. */
  readonly followed: () => Iterable<string>;
  readonly send: SendToAll;
  readonly logFailure: FailureLog;
}

/** Maximum executions of an announcement: PostgreSQL rejects a payload of 8 000 bytes. */
const MOST_TOGETHER = 200;

/**
 * Announces the executions that this process follows to the writers of their events. Announcements of one moment leave
 * together, and each is repeated while its follower stays. A lost one costs the follower seconds, and no event.
 */
export class FollowerAnnouncer {
  private readonly announcements = new BatchExecutor<string, null>({
    runTogether: async (ids) => {
      await this.options.send('writers', [...new Set(ids)].join(SEPARATOR));
      return ids.map(() => ({ kind: 'done', value: null }));
    },
    runAlone: async (id) => {
      await this.options.send('writers', id);
      return null;
    },
    mayRunAlone: () => false,
    lanes: 1,
    mostItems: MOST_TOGETHER,
    defer: setImmediate,
  });
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly options: FollowerAnnouncerOptions) {
    this.timer = setInterval(() => this.announceAll(), ANNOUNCED_EVERY_MS).unref();
  }

  announce(executionId: string): void {
    this.announcements.call(executionId).catch((error: unknown) => {
      this.options.logFailure('event stream: followers not announced', error);
    });
  }

  announceAll(): void {
    for (const executionId of this.options.followed()) this.announce(executionId);
  }

  close(): void {
    clearInterval(this.timer);
  }
}
