import { AppError, toStorableJson } from '#libs/kernel';
import {
  executionEventDataSchemas,
  type ExecutionEvent,
  type ExecutionEventName,
  type NumberedEvent,
} from '#libs/payloads';

/** An event as it lies in a store: its name and its data as JSON text. */
export interface StoredEvent {
  readonly event: string;
  readonly data: string;
}

/** An event as it comes out of a store, not parsed yet. */
export interface StoredRow {
  readonly id: number;
  readonly event: string;
  readonly data: unknown;
}

/** Text that every store accepts: no NUL, no lone surrogate, no JSON nested too deeply. */
export function toStoredEvents(events: readonly ExecutionEvent[]): readonly StoredEvent[] {
  return events.map(({ event, data }) => ({ event, data: JSON.stringify(toStorableJson(data)) }));
}

/**
 * Reads up to `limit` events after `afterId`. Names that this release does not know come from a newer one during a
 * rolling deploy; they are passed over, and reading goes on so that an empty answer always means the end.
 * Throws an `AppError` EVENT_UNREADABLE when the data of a known name has the wrong shape.
 */
export async function readKnownEvents(
  fetchRows: (afterId: number, limit: number) => Promise<readonly StoredRow[]>,
  afterId: number,
  limit: number,
): Promise<readonly NumberedEvent[]> {
  const events: NumberedEvent[] = [];
  let from = afterId;
  for (;;) {
    const wanted = limit - events.length;
    const rows = await fetchRows(from, wanted);
    for (const row of rows) if (isKnownName(row.event)) events.push(parseRow(row, row.event));
    const last = rows.at(-1);
    if (last === undefined || rows.length < wanted || events.length === limit) return events;
    from = last.id;
  }
}

function isKnownName(name: string): name is ExecutionEventName {
  return Object.hasOwn(executionEventDataSchemas, name);
}

function parseRow(row: StoredRow, event: ExecutionEventName): NumberedEvent {
  const parsed = executionEventDataSchemas[event].safeParse(row.data);
  if (!parsed.success) {
    throw new AppError({
      code: 'EVENT_UNREADABLE',
      kind: 'internal',
      message: 'a stored event has an unexpected shape',
      details: { id: row.id, event, fields: parsed.error.issues.map((issue) => issue.path.join('.')) },
    });
  }
  // The schema was chosen by the name, so name and data belong together; the compiler cannot see that.
  return { id: row.id, event, data: parsed.data } as NumberedEvent;
}
