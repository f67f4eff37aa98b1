import { AppError } from '#libs/kernel';
import type { AppendWatch } from '#libs/executions';
import { InMemoryEventStream } from './in-memory-event-stream.js';

/** The error of an event stream without its store. */
export class AwayError extends AppError {
  constructor() {
    super({ code: 'AWAY', kind: 'unavailable', message: 'not reachable at the moment', retryable: true });
  }
}

/** Ends every wait within 1 ms, so that silence passes without waiting. */
export class ImpatientStream extends InMemoryEventStream {
  override watch(executionId: string): AppendWatch {
    const watch = super.watch(executionId);
    return {
      wait: (afterId, timeoutMs, signal) => watch.wait(afterId, Math.min(timeoutMs, 1), signal),
      wake: () => watch.wake(),
      close: () => watch.close(),
    };
  }
}

/** A clock that advances by a second at each reading, so that silence passes without waiting. */
export function fastClock(): { monotonic(): number } {
  let now = 0;
  return { monotonic: () => (now += 1_000) };
}
