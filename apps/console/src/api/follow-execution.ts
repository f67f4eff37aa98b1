import { followStream, type FollowStream } from './follow-stream.js';
import type { RunEvent } from './types.js';

export type { Connection } from './follow-stream.js';

type Follow = Omit<FollowStream<RunEvent>, 'path' | 'isLast'> & { readonly executionId: string };

/**
 * Follows the events of an execution up to the last one.
 * @throws {ApiProblem} when the server refuses
 */
export function followExecution({ executionId, ...follow }: Follow): Promise<void> {
  const path = `/api/executions/${encodeURIComponent(executionId)}/events/`;
  const isLast = (event: RunEvent): boolean => event.event === 'result' && !event.data.title_pending;
  return followStream({ ...follow, path, isLast });
}
