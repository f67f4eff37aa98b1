import { BatchExecutor, type BatchAnswer } from '#libs/concurrency';
import type { ExecutionEvent } from '#libs/payloads';
import { toStoredEvents, type StoredEvent } from './stored-event.js';
import { toLine } from './wake-up.js';

/** Events of one execution, appended all or none. */
export interface Append {
  readonly executionId: string;
  readonly firstId: number;
  readonly events: readonly StoredEvent[];
  /** Wake-up line for subscribers, sent once the events are stored. */
  readonly line: string;
}

export interface AppendBatchOptions {
  /** Returns for each append whether it was stored: `false` if its first number or a higher one is taken. */
  readonly appendTogether: (appends: readonly Append[]) => Promise<readonly BatchAnswer<boolean>[]>;
  /** Whether a batch that threw this error has appended nothing. */
  readonly mayRunAlone: (error: unknown) => boolean;
  readonly lanes: number;
}

/** Maximum characters of a batch: a larger one would delay small events for longer than it saves. */
const MAX_CHARACTERS = 500_000;

/** Batches the appends of many executions: appends that arrive while a batch is in flight leave with the next one. */
export function batchAppends({ appendTogether, mayRunAlone, lanes }: AppendBatchOptions) {
  return new BatchExecutor<Append, boolean>({
    runTogether: appendTogether,
    runAlone: async (append) => {
      const [answer] = await appendTogether([append]);
      if (answer?.kind === 'done') return answer.value;
      throw answer?.kind === 'failed' ? answer.error : new Error('no answer to an append');
    },
    mayRunAlone,
    lanes,
    weigh: charactersOf,
    mostWeight: MAX_CHARACTERS,
    // Deferred by one more turn than other writes, so that a settlement of the same moment, which clients await, goes
    // first.
    defer: (begin) => void setImmediate(() => setImmediate(begin)),
  });
}

export function toAppend(executionId: string, firstId: number, events: readonly ExecutionEvent[]): Append {
  const stored = toStoredEvents(events);
  const append = { executionId, firstId, events: stored };
  return { ...append, line: toLine({ ...append, isAtRest: events.some(isRest) }) };
}

export function charactersOf({ events }: Append): number {
  return events.reduce((sum, { data }) => sum + data.length, 0);
}

/** True for an event after which the execution has settled or needs a person. */
function isRest({ event, data }: ExecutionEvent): boolean {
  return event === 'result' || (event === 'status' && data.status === 'requires_action');
}
