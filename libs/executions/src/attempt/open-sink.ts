import { FIRST_STORED_ID } from '../events/event-numbers.js';
import { StreamEventSink } from '../events/stream-event-sink.js';
import type { Claim } from '../ports/claim-store.js';
import type { AttemptDependencies } from './attempt-dependencies.js';

/**
 * Opens the event sink. Events of a first claim start at the first number; later claims continue after the stored events.
 */
export function openSink(deps: AttemptDependencies, claim: Claim): StreamEventSink {
  const { events, claims, logger, clock, timers } = deps;
  const { executionId, epoch } = claim;
  const firstId = epoch === 1 ? FIRST_STORED_ID : null;
  const listener = {
    isCurrent: () => claims.isCurrent(claim),
    onLoss: (err: unknown, count: number) => logger.warn({ err, executionId, count }, 'live events dropped'),
  };
  return new StreamEventSink(events, executionId, firstId, listener, { clock, timers });
}
