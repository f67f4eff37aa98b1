import { AppendWatches } from './append-watches.js';
import { SettlementWatches } from './settlement-watches.js';
import { parseMessage } from './wake-up.js';

/** Everybody in this process who waits for an execution: for its next event, or for its end. */
export class Followers {
  readonly appends = new AppendWatches();
  readonly settlements = new SettlementWatches();

  /** @param message of an append, as `toMessages` wrote it, here or in another process */
  hear(message: string): void {
    for (const wakeUp of parseMessage(message)) {
      this.appends.wake(wakeUp.executionId);
      this.settlements.wake(wakeUp);
    }
  }

  /** For when messages may have been missed: everybody looks. */
  wakeAll(): void {
    this.appends.wakeAll();
    this.settlements.wakeAll();
  }
}
