import { InvalidRequestError } from '../http/invalid-request.error.js';
import { eventNumberSchema } from '../http/request-values.js';

/** The number in a `Last-Event-ID` header, null without one. Throws for what was never an id of ours. */
export function parseLastEventId(header: string | undefined): number | null {
  if (header === undefined || header === '') return null;
  const parsed = eventNumberSchema.safeParse(header);
  if (parsed.success) return parsed.data;
  throw unknownEventId();
}

/** For what is no id at all, and for one that the events of the execution have not reached, or have no more. */
export function unknownEventId(
  place: { readonly header: string } | { readonly parameter: string } = { header: 'Last-Event-ID' },
): InvalidRequestError {
  return new InvalidRequestError([{ ...place, detail: 'must be the id of an event of this execution' }]);
}
