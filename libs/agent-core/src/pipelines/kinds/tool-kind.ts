import { isJsonObject, type JsonObject } from '#libs/kernel';
import { fillJson, type ToolStep } from '#libs/policy';
import type { ToolCallOutcome } from '../../journal-entry.js';
import type { ToolCallState } from '../../scope-state.js';
import { failedStep, type StepEnd, type StepKind } from './step-kind.js';

/** One call of a tool, as a model would make it; what it answers is the output. */
export const toolKind: StepKind<ToolStep> = {
  callsOf: (step, { values }, callId) => [
    { callId, toolName: step.tool, arguments: JSON.stringify(fillJson(step.arguments, values)) },
  ],
  endOf: (step, { round }) => {
    const [call] = round.calls;
    return call?.outcome ? endOfCall(step.tool, call, call.outcome) : failedStep('nothing ran', true);
  },
};

function endOfCall(tool: string, call: ToolCallState, outcome: ToolCallOutcome): StepEnd {
  const mayRepeat = !call.started || call.outcomeMayLag;
  switch (outcome.status) {
    case 'succeeded':
      return endOfAnswer(tool, outcome, mayRepeat);
    case 'failed':
      return failedStep(`the tool ${tool} failed`, mayRepeat);
    case 'refused':
      return failedStep(`the call of ${tool} was refused: ${outcome.reason ?? 'not allowed'}`, false);
    case 'outcome_unknown':
      return failedStep(`it is not known whether the call of ${tool} took effect`, false);
  }
}

function endOfAnswer(
  tool: string,
  outcome: Extract<ToolCallOutcome, { status: 'succeeded' }>,
  mayRepeat: boolean,
): StepEnd {
  const answer = isJsonObject(outcome.result) ? outcome.result : {};
  if (answer['status'] === 'error') return failedStep(`the tool ${tool} answered an error`, mayRepeat);
  const { foreign } = outcome;
  return {
    kind: 'done',
    output: outputOf(answer, outcome),
    ...(foreign !== undefined && { foreign }),
  };
}

/**
 * The result without its envelope, and beside it the texts that a tool gave apart from it. What somebody outside wrote is no
 * more than its mark covers, which follows from what a model would have read.
 */
function outputOf(
  answer: JsonObject,
  { output, result, foreign }: Extract<ToolCallOutcome, { status: 'succeeded' }>,
): JsonObject {
  const inner = isJsonObject(answer['result']) ? answer['result'] : {};
  if (output === JSON.stringify(result)) return inner;
  return foreign === undefined ? { ...inner, text: output } : { text: output };
}
