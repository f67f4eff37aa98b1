import type { NumberedEvent } from '#libs/payloads';
import { toKnownEvents, type StoredEvent, type StoredRow } from './stored-event.js';

/** An append to be announced to the execution's subscribers. */
export interface Appended {
  readonly executionId: string;
  readonly firstId: number;
  readonly events: readonly StoredEvent[];
  /** Whether the execution settled with this append, or needs a person. */
  readonly isAtRest: boolean;
}

/** One append as read from a message. */
export interface WakeUp {
  readonly executionId: string;
  readonly isAtRest: boolean;
  /** The events as JSON; empty if they exceed the message size. */
  readonly events: string;
}

/** Maximum bytes of a message: PostgreSQL rejects a payload of 8 000 bytes. */
const MAX_BYTES = 7_900;
/** Does not occur in single-line JSON. */
const SEPARATOR = '\n';
/**
 * Message that asks every process to announce its followers. Another release takes it for a wake-up of an execution that it
 * does not follow.
 */
export const WHO_FOLLOWS = '?';
const AT_REST = '!';
const GROWN = '+';

/** Formats one line: execution, rest marker and events; if the events do not fit, only the result, if that fits. */
export function toLine({ executionId, firstId, events, isAtRest }: Appended): string {
  const beginning = `${executionId} ${isAtRest ? AT_REST : GROWN}`;
  const resultAt = events.findIndex(({ event }) => event === 'result');
  const result =
    resultAt < 0 ? '' : beginning + toJson(firstId + resultAt, events.slice(resultAt, resultAt + 1));
  const lines = [beginning + toJson(firstId, events), result, beginning];
  return lines.find((line) => line !== '' && Buffer.byteLength(line) <= MAX_BYTES) ?? beginning;
}

/** Assigns each line to a message, numbered from 0: as few messages as possible, in order. */
export function packLines(lines: readonly string[]): number[] {
  let [message, bytes] = [0, 0];
  return lines.map((line) => {
    const size = Buffer.byteLength(line) + SEPARATOR.length;
    if (bytes > 0 && bytes + size > MAX_BYTES) [message, bytes] = [message + 1, 0];
    bytes += size;
    return message;
  });
}

/**
 * A line in the format of another release is read as an append without its events, which makes the subscriber read the
 * store.
 */
export function parseMessage(message: string): WakeUp[] {
  return message.split(SEPARATOR).map((line) => {
    const end = line.indexOf(' ');
    if (end < 0) return { executionId: line, isAtRest: false, events: '' };
    const isAtRest = line[end + 1] !== GROWN;
    return { executionId: line.slice(0, end), isAtRest, events: line.slice(end + 2) };
  });
}

/** The events of a wake-up; null if some are missing or unreadable for this release. */
export function eventsOf({ events }: WakeUp): readonly NumberedEvent[] | null {
  if (events === '') return null;
  const rows = toRows(parseJson(events));
  const known = toKnownEvents(rows ?? [], () => undefined);
  return known.length === rows?.length ? known : null;
}

/** The events of the first number, then name and data of each; null for something else. The data is checked afterwards. */
function toRows(said: unknown): StoredRow[] | null {
  if (!Array.isArray(said)) return null;
  const firstId: unknown = said[0];
  if (!Number.isSafeInteger(firstId)) return null;
  const rows: StoredRow[] = [];
  for (let at = 1; at < said.length; at += 1) {
    const pair: unknown = said[at];
    if (!Array.isArray(pair) || pair.length !== 2 || typeof pair[0] !== 'string') return null;
    rows.push({ id: (firstId as number) + at - 1, event: pair[0], data: pair[1] as unknown });
  }
  return rows;
}

/** @param events events with data serialized as JSON */
function toJson(firstId: number, events: readonly StoredEvent[]): string {
  return `[${[firstId, ...events.map(({ event, data }) => `["${event}",${data}]`)].join(',')}]`;
}

/** Undefined if the text is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
