import type { AppendWatch } from '#libs/executions';
import { AppendWatches } from './append-watches.js';
import type { FailureLog } from './event-stream-log.js';
import type { SendToAll } from './followed-executions.js';
import { FollowerAnnouncer } from './follower-announcer.js';
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
