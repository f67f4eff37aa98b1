import { z } from 'zod';
import { sayTable } from '../local/table.ts';
import { say, style } from '../local/terminal.ts';
import { describeAnswer } from './present-events.ts';

/** The fields read from `GET /api/executions/{id}/steps/`. */
export const STEPS = z.object({
  data: z.array(
    z.object({
      round: z.number(),
      position: z.number(),
      tool_name: z.string(),
      status: z.string(),
      started_at: z.string(),
      finished_at: z.string().nullable(),
      input: z.unknown(),
      output: z.unknown(),
    }),
  ),
});
type Step = z.infer<typeof STEPS>['data'][number];

/** Prints the audit rows of an execution. */
export function saySteps(steps: readonly Step[]): void {
  say(`\n${style.bold('Steps')}  the audit row of each tool call`);
  sayTable(
    ['round', 'tool', 'status', 'ms', 'input', 'output'],
    steps.map((step) => [
      `${step.round}.${step.position}`,
      step.tool_name,
      step.status,
      millisecondsOf(step),
      JSON.stringify(step.input),
      describeAnswer(step.output),
    ]),
  );
}

function millisecondsOf({ started_at, finished_at }: Step): string {
  return finished_at === null ? '-' : String(Date.parse(finished_at) - Date.parse(started_at));
}
