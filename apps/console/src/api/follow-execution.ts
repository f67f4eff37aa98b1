import { followStream, type Connection } from './follow-stream.js';
import type { RunEvent } from './types.js';

export type { Connection } from './follow-stream.js';

interface Follow {
  readonly executionId: string;
  readonly signal: AbortSignal;
  readonly onEvents: (events: readonly RunEvent[]) => void;
  readonly onConnection: (connection: Connection) => void;
}

/**
 * Follows the events of an execution up to the last one.
 * @throws {ApiProblem} when the server refuses
 */
export function followExecution({ executionId, ...follow }: Follow): Promise<void> {
  return followStream<RunEvent>({
    ...follow,
    path: `/api/executions/${encodeURIComponent(executionId)}/events/`,
    after: null,
    isLast: (event) => event.event === 'result' && !event.data.title_pending,
  });
}
