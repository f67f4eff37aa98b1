import { AppendWatches } from './append-watches.js';
import { SettlementWatches } from './settlement-watches.js';
import { eventsOf, parseMessage } from './wake-up.js';

/** All subscribers of this process that wait for an execution's next event or its end. */
export class Followers {
  readonly appends = new AppendWatches();
  readonly settlements = new SettlementWatches();

  /** @param message lines written by `toLine`, in this or another process */
  hear(message: string): void {
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

  /** Makes all subscribers query the store, after messages may have been missed. */
  wakeAll(): void {
    this.appends.wakeAll();
    this.settlements.wakeAll();
  }
}
