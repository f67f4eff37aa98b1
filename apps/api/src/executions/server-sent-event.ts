import type { ExecutionEvent } from '#libs/payloads';
import { InvalidRequestError } from '../http/request-errors.js';
import { eventNumberSchema } from '../http/request-values.js';

/** An event sent to a client; a heartbeat has no id, since no client resumes after one. */
export type OutgoingEvent =
  | (ExecutionEvent & { readonly id: number })
  | { readonly event: 'heartbeat'; readonly data: Readonly<Record<string, never>> };

/** First line of every stream: the client's reconnection delay, in ms. */
export const RETRY_LINE = 'retry: 1000\n\n';

/** A server-sent event; only one with an id can be resumed after. */
interface SentEvent {
  readonly event: string;
  /** Must contain no line break. */
  readonly id?: number | string;
  readonly data: unknown;
}

/** Formats the event as the WHATWG standard defines it. JSON contains no raw line break, so one `data:` line is enough. */
export function formatServerSentEvent(item: SentEvent): string {
  const id = item.id !== undefined ? `id: ${item.id}\n` : '';
  return `${id}event: ${item.event}\ndata: ${JSON.stringify(item.data)}\n\n`;
}

/** The number in a `Last-Event-ID` header; null without one. Throws for an id that this API never issued. */
export function parseLastEventId(header: string | undefined): number | null {
  if (header === undefined || header === '') return null;
  const parsed = eventNumberSchema.safeParse(header);
  if (parsed.success) return parsed.data;
  throw new InvalidRequestError([
    { header: 'Last-Event-ID', detail: 'must be the id of an event of this execution' },
  ]);
}
