import { describeAnswer } from './present-answer.mjs';
import { sayTable } from './present-table.mjs';
import { say, style } from './terminal.mjs';

/**
 * Prints the audit rows of an execution as `GET /api/executions/{id}/steps/` answers them.
 * @param {readonly any[]} steps
 */
export function saySteps(steps) {
  say(`\n${style.bold('RunSteps')}  the audit row of each tool call`);
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

/** @param {any} step */
function millisecondsOf(step) {
  return step.finished_at === null ? '-' : String(Date.parse(step.finished_at) - Date.parse(step.started_at));
}
