import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { ApiClient } from '../../scripts/quickstart/api-client.ts';

const CALL = z.object({ call: z.string(), tool_name: z.string(), tool_input: z.unknown() });
const EXECUTION = z.object({
  id: z.string(),
  status: z.string(),
  finished_at: z.string().nullable(),
  required_action: z.object({ calls: z.array(CALL) }).nullable(),
  error: z.object({ message: z.string() }).nullable(),
  result: z
    .object({ message: z.object({ content: z.string(), data: z.record(z.string(), z.unknown()) }) })
    .nullable(),
});
/** A tool call that waits for a person's decision. */
export type WaitingCall = z.infer<typeof CALL>;
type Answer = NonNullable<z.infer<typeof EXECUTION>['result']>['message'];

/**
 * Runs an agent, and decides every waiting call. Throws without an answer.
 * @param reasonToRefuse null approves
 */
export async function runWithDecisions(
  client: ApiClient,
  agentId: number,
  request: object,
  reasonToRefuse: (call: WaitingCall) => string | null,
): Promise<Answer> {
  let execution = await client.post(`/api/agents/${agentId}/execute/`, request, EXECUTION);
  while (execution.finished_at === null) {
    if (execution.required_action === null) await pause(100);
    else {
      const decisions = execution.required_action.calls.map((call) => {
        const reason = reasonToRefuse(call);
        return reason === null
          ? { call: call.call, approved: true }
          : { call: call.call, approved: false, reason };
      });
      await client.post(`/api/executions/${execution.id}/approvals/`, { decisions }, z.unknown());
    }
    execution = await client.get(`/api/executions/${execution.id}/`, EXECUTION);
  }
  const { result, error, status } = execution;
  if (result === null) throw new Error(`the execution is ${status}: ${error?.message ?? 'no reason given'}`);
  return result.message;
}
