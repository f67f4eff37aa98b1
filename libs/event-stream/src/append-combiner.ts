import { Combiner, type BatchAnswer } from '#libs/combiner';
import type { ExecutionEvent } from '#libs/payloads';
import { toStoredEvents, type StoredEvent } from './stored-event.js';
import { toLine } from './wake-up.js';

/** The events of one execution that are appended together, all or none. */
export interface Append {
  readonly executionId: string;
  readonly firstId: number;
  readonly events: readonly StoredEvent[];
  /** What those hear who wait for them, once they are there. */
  readonly line: string;
}

export interface AppendCombinerOptions {
  /** Whether each was appended: `false` where its first number or a higher one is taken. */
  readonly appendTogether: (appends: readonly Append[]) => Promise<readonly BatchAnswer<boolean>[]>;
  /** Whether a batch that ended with this error has appended nothing. */
  readonly mayRunAlone: (error: unknown) => boolean;
  readonly lanes: number;
}

/** Characters of one batch: a bigger one would hold up small events for longer than it saves. */
const MOST_CHARACTERS = 500_000;

/** Appends the events of many executions at once: what comes in while a batch is under way goes out with the next one. */
export function combineAppends({ appendTogether, mayRunAlone, lanes }: AppendCombinerOptions) {
  return new Combiner<Append, boolean>({
    runTogether: appendTogether,
    runAlone: async (append) => {
      const [answer] = await appendTogether([append]);
      if (answer?.kind === 'done') return answer.value;
      throw answer?.kind === 'failed' ? answer.error : new Error('no answer to an append');
    },
    mayRunAlone,
    lanes,
    weigh: charactersOf,
    mostWeight: MOST_CHARACTERS,
    // A turn later than a write that was asked for at the same time, the settlement above all: that is waited for.
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

/** It has settled, or needs a person. */
function isRest({ event, data }: ExecutionEvent): boolean {
  return event === 'result' || (event === 'status' && data.status === 'requires_action');
}
