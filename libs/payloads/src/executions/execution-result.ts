import { z } from 'zod';
import { executionViewSchema, type ExecutionView } from './execution-view.js';

/** Fields of the `result` event beside the execution itself (S4-27). */
const resultDetailsSchema = z.object({
  is_error: z.boolean().describe('True if the execution failed or was cancelled.'),
  errors: z.array(z.object({ code: z.string(), message: z.string() })),
  num_turns: z.number().int().describe('Number of model answers, without sub-agents.'),
  duration_ms: z.number().int().describe('Milliseconds from the first claim to the end; 0 if it never ran.'),
  session_id: z
    .string()
    .nullable()
    .describe('The engine session that the next execution of the session continues; null after a failure.'),
  title_pending: z.boolean().describe('Whether a `title_generated` event follows.'),
});

export const executionResultSchema = executionViewSchema.extend(resultDetailsSchema.shape);
export type ExecutionResult = z.infer<typeof executionResultSchema>;

export function toExecutionResult(
  view: ExecutionView,
  known: Pick<ExecutionResult, 'num_turns' | 'session_id' | 'title_pending'>,
): ExecutionResult {
  return {
    ...view,
    ...known,
    is_error: view.status === 'failed' || view.status === 'cancelled',
    errors: view.error === null ? [] : [view.error],
    duration_ms: durationOf(view),
  };
}

/** The execution without the result details, as all other responses show it. */
export function withoutResultDetails(result: ExecutionResult): ExecutionView {
  const { is_error, errors, num_turns, duration_ms, session_id, title_pending, ...view } = result;
  return view;
}

function durationOf({ started_at, finished_at }: ExecutionView): number {
  if (started_at === null || finished_at === null) return 0;
  return Math.max(0, Date.parse(finished_at) - Date.parse(started_at));
}
