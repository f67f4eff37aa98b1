import { InvalidRequestError } from '../http/invalid-request.error.js';
import { eventNumberSchema } from '../http/request-values.js';

/** The number in a `Last-Event-ID` header, null without one. Throws for what was never an id of ours. */
export function parseLastEventId(header: string | undefined): number | null {
  if (header === undefined || header === '') return null;
  const parsed = eventNumberSchema.safeParse(header);
  if (parsed.success) return parsed.data;
  throw new InvalidRequestError([
    { header: 'Last-Event-ID', detail: 'must be the id of an event of this execution' },
  ]);
}
