import { AppendWatches } from './append-watches.js';
import { SettlementWatches } from './settlement-watches.js';
import { eventsOf, parseMessage } from './wake-up.js';

/** Everybody in this process who waits for an execution: for its next event, or for its end. */
export class Followers {
  readonly appends = new AppendWatches();
  readonly settlements = new SettlementWatches();

  /** @param message of lines that `toLine` wrote, here or in another process */
  hear(message: string): void {
    for (const wakeUp of parseMessage(message)) {
      const { executionId, isAtRest } = wakeUp;
      const isAwaited = isAtRest && this.settlements.has(executionId);
      // Most of what is heard concerns nobody here.
      if (!isAwaited && !this.appends.has(executionId)) continue;
      const events = eventsOf(wakeUp);
      this.appends.wake(executionId, events);
      if (isAwaited) this.settlements.wake(executionId, events);
    }
  }

  /** For when messages may have been missed: everybody looks. */
  wakeAll(): void {
    this.appends.wakeAll();
    this.settlements.wakeAll();
  }
}
