import type { ExecutionEvent } from '#libs/payloads';
import { InvalidRequestError } from '../http/request-errors.js';
import { eventNumberSchema } from '../http/request-values.js';

/** An event on its way to a client; without an id where it is not to be resumed after, as a heartbeat. */
export type OutgoingEvent =
  | (ExecutionEvent & { readonly id: number })
  | { readonly event: 'heartbeat'; readonly data: Readonly<Record<string, never>> };

/** How long a client waits before it connects again, in milliseconds; the first line of every stream. */
export const RETRY_LINE = 'retry: 1000\n\n';

/** What can be sent: with an id where it can be resumed after. */
interface SentEvent {
  readonly event: string;
  /** Without a line break. */
  readonly id?: number | string;
  readonly data: unknown;
}

/** The event in the format of the WHATWG. The data is JSON, which holds no line break, so one `data:` line is all. */
export function formatServerSentEvent(item: SentEvent): string {
  const id = item.id !== undefined ? `id: ${item.id}\n` : '';
  return `${id}event: ${item.event}\ndata: ${JSON.stringify(item.data)}\n\n`;
}

/** The number in a `Last-Event-ID` header, null without one. Throws for what was never an id of ours. */
export function parseLastEventId(header: string | undefined): number | null {
  if (header === undefined || header === '') return null;
  const parsed = eventNumberSchema.safeParse(header);
  if (parsed.success) return parsed.data;
  throw new InvalidRequestError([
    { header: 'Last-Event-ID', detail: 'must be the id of an event of this execution' },
  ]);
}
