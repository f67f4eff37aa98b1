import type { NumberedEvent } from '#libs/payloads';
import { z } from 'zod';
import { toKnownEvents, type StoredEvent, type StoredRow } from './stored-event.js';

/** An append, as those hear of it who wait for its execution. */
export interface Appended {
  readonly executionId: string;
  readonly firstId: number;
  readonly events: readonly StoredEvent[];
  /** Whether the execution has settled with it, or needs a person. */
  readonly isAtRest: boolean;
}

/** What a message says of one append. */
export interface WakeUp {
  readonly executionId: string;
  readonly isAtRest: boolean;
  /** The events, as JSON; empty where they are too much for a message. */
  readonly events: string;
}

/** PostgreSQL refuses a payload of 8 000 bytes. */
const MOST_BYTES = 7_900;
/** JSON in one line has none. */
const SEPARATOR = '\n';
const AT_REST = '!';
const GROWN = '+';

/** The first number, then name and data of each event. */
const eventsSchema = z.tuple([z.int()]).rest(z.tuple([z.string(), z.unknown()]));

/** One line: the execution, whether it is at rest, and the events; where they do not fit only the result, if that does. */
export function toLine({ executionId, firstId, events, isAtRest }: Appended): string {
  const beginning = `${executionId} ${isAtRest ? AT_REST : GROWN}`;
  const resultAt = events.findIndex(({ event }) => event === 'result');
  const result =
    resultAt < 0 ? '' : beginning + toJson(firstId + resultAt, events.slice(resultAt, resultAt + 1));
  const lines = [beginning + toJson(firstId, events), result, beginning];
  return lines.find((line) => line !== '' && Buffer.byteLength(line) <= MOST_BYTES) ?? beginning;
}

/** The message that takes each line, counted from 0: as few messages as have room for them, in order. */
export function packLines(lines: readonly string[]): number[] {
  let [message, bytes] = [0, 0];
  return lines.map((line) => {
    const size = Buffer.byteLength(line) + SEPARATOR.length;
    if (bytes > 0 && bytes + size > MOST_BYTES) [message, bytes] = [message + 1, 0];
    bytes += size;
    return message;
  });
}

/** What a line of another release says in its own way is no more than that there is something: read it and see. */
export function parseMessage(message: string): WakeUp[] {
  return message.split(SEPARATOR).map((line) => {
    const end = line.indexOf(' ');
    if (end < 0) return { executionId: line, isAtRest: false, events: '' };
    const isAtRest = line[end + 1] !== GROWN;
    return { executionId: line.slice(0, end), isAtRest, events: line.slice(end + 2) };
  });
}

/** Null where it does not say them all, or not in a way that this release can read. */
export function eventsOf({ events }: WakeUp): readonly NumberedEvent[] | null {
  if (events === '') return null;
  const parsed = eventsSchema.safeParse(parseJson(events));
  if (!parsed.success) return null;
  const [firstId, ...said] = parsed.data;
  const rows = said.map(([event, data], index): StoredRow => ({ id: firstId + index, event, data }));
  const known = toKnownEvents(rows, () => undefined);
  return known.length === rows.length ? known : null;
}

/** @param events whose data is JSON already */
function toJson(firstId: number, events: readonly StoredEvent[]): string {
  return `[${[firstId, ...events.map(({ event, data }) => `["${event}",${data}]`)].join(',')}]`;
}

/** Undefined where it is none. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
