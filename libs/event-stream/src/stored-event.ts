import { asStorableJson } from '#libs/kernel';
import {
  executionEventDataSchemas,
  type ExecutionEvent,
  type ExecutionEventName,
  type NumberedEvent,
} from '#libs/payloads';

/** A stored event: its name, and its data as JSON text. */
export interface StoredEvent {
  readonly event: string;
  readonly data: string;
}

/** An event read from a store, not validated yet. */
export interface StoredRow {
  readonly id: number;
  readonly event: string;
  readonly data: unknown;
}

/**
 * Serializes events as text that every store accepts (no NUL, no lone surrogate, bounded JSON depth) and returns byte
 * for byte, so that live and later readers get the same data.
 */
export function toStoredEvents(events: readonly ExecutionEvent[]): readonly StoredEvent[] {
  return events.map(({ event, data }) => ({ event, data: JSON.stringify(asStorableJson(data)) }));
}

/**
 * Reads up to `limit` events after `afterId` and skips events of another release that this one cannot read, which would
 * otherwise end every subscription: unknown names silently, data of another shape with a report without content. It
 * reads on until it has enough, so an empty result is the end.
 */
export async function readKnownEvents(
  fetchRows: (afterId: number, limit: number) => Promise<readonly StoredRow[]>,
  afterId: number,
  limit: number,
  reportUnreadable: (description: string) => void,
): Promise<readonly NumberedEvent[]> {
  const events: NumberedEvent[] = [];
  let from = afterId;
  for (;;) {
    const wanted = limit - events.length;
    const rows = await fetchRows(from, wanted);
    events.push(...toKnownEvents(rows, reportUnreadable));
    const last = rows.at(-1);
    if (last === undefined || rows.length < wanted || events.length === limit) return events;
    from = last.id;
  }
}

/** Keeps the events that this release can read. */
export function toKnownEvents(
  rows: readonly StoredRow[],
  reportUnreadable: (description: string) => void,
): NumberedEvent[] {
  return rows.flatMap((row) => parseRow(row, reportUnreadable));
}

function parseRow(
  { id, event, data }: StoredRow,
  reportUnreadable: (description: string) => void,
): NumberedEvent[] {
  if (!isKnownName(event)) return [];
  const parsed = executionEventDataSchemas[event].safeParse(data);
  if (parsed.success) {
    // The schema was chosen by the name, so name and data belong together; the compiler cannot see that.
    return [{ id, event, data: parsed.data } as NumberedEvent];
  }
  reportUnreadable(`${event}: ${parsed.error.issues.map((issue) => issue.path.join('.')).join(', ')}`);
  return [];
}

function isKnownName(name: string): name is ExecutionEventName {
  return Object.hasOwn(executionEventDataSchemas, name);
}
