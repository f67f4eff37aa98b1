import type { ExecutionView } from '#libs/payloads';
import type { Dispatcher } from '../dispatch/dispatcher.js';
import type { CancelStore } from '../ports/cancel-store.js';
import type { ExecutionMeter } from '../ports/execution-meter.js';
import type { ExecutionReader } from '../ports/execution-reader.js';
import { ENDED_UNSTARTED } from './evaluate-cancellation.js';

export interface CancelDependencies {
  readonly cancellations: Pick<CancelStore, 'request'>;
  readonly executions: Pick<ExecutionReader, 'find'>;
  readonly dispatcher: Pick<Dispatcher<unknown>, 'trigger'>;
  readonly meter: ExecutionMeter;
}

/**
 * Requests the cancellation of an execution and returns its current state. A settled execution stays unchanged. Null if
 * there is no such execution.
 */
export async function cancelExecution(
  { cancellations, executions, dispatcher, meter }: CancelDependencies,
  tenantId: string,
  executionId: string,
): Promise<ExecutionView | null> {
  const result = await cancellations.request(tenantId, executionId);
  if (result.kind === 'not_found') return null;
  if (result.kind === 'cancelled') meter.record(ENDED_UNSTARTED);
  // The session's next execution may run now, or a worker must end this one.
  dispatcher.trigger();
  return executions.find(tenantId, executionId);
}
