import { answerOf, api } from './client.js';
import type { RecordedEntry } from './types.js';

/** The first page comes at once; the others are as long as the service allows. */
const FIRST_PAGE = 50;
const PAGE = 500;

export interface TimelinePage {
  readonly data: readonly RecordedEntry[];
  readonly next_cursor: string | null;
}

/** Reads one page of the recorded timeline of a run. */
export function readTimelinePage(
  id: string,
  cursor: string | null,
  signal: AbortSignal,
): Promise<TimelinePage> {
  const query = { limit: cursor === null ? FIRST_PAGE : PAGE, ...(cursor !== null && { cursor }) };
  return answerOf(api.GET('/api/executions/{id}/timeline/', { params: { path: { id }, query }, signal }));
}
