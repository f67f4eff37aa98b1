import type { DecidedBy } from '#libs/agent-core';
import type { ExecutionView } from '#libs/payloads';
import type { Dispatcher } from '../dispatch/dispatcher.js';
import type { CallDecision, DecisionRefusal, DecisionStore } from '../ports/decision-store.js';
import type { ExecutionReader } from '../ports/execution-reader.js';

export interface DecideDependencies {
  readonly decisions: DecisionStore;
  readonly executions: Pick<ExecutionReader, 'find'>;
  readonly dispatcher: Pick<Dispatcher<unknown>, 'trigger'>;
}

/**
 * Records a person's decisions on waiting calls, all or none; the last decision resumes the execution. If no job can be
 * sent after the commit, the next dispatch sends it.
 */
export async function decideCalls(
  { decisions: store, executions, dispatcher }: DecideDependencies,
  tenantId: string,
  executionId: string,
  decisions: readonly CallDecision[],
  by: DecidedBy,
): Promise<{ readonly kind: 'decided'; readonly view: ExecutionView } | DecisionRefusal> {
  const result = await store.decide(tenantId, executionId, decisions, by);
  if (result.kind !== 'decided') return result;
  if (result.isRunnable) dispatcher.trigger();
  const view = await executions.find(tenantId, executionId);
  return view === null ? { kind: 'not_found' } : { kind: 'decided', view };
}
