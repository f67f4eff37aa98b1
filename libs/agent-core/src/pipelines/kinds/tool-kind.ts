import { isJsonObject, type JsonObject } from '#libs/kernel';
import { fillJson, type ToolStep } from '#libs/policy';
import { answeredError } from '../../error-answer.js';
import type { ToolCallOutcome } from '../../journal-entry.js';
import { failedStep, type CallKind, type StepEnd } from './step-kind.js';

/** One tool call, as a model would make it; the tool's result is the step's output. */
export const toolKind: CallKind<Pick<ToolStep, 'tool' | 'arguments'>> = {
  callOf: ({ tool, arguments: template }, { everything }) => {
    const filled = fillJson(template, everything);
    return filled === undefined ? null : { toolName: tool, arguments: JSON.stringify(filled) };
  },
  endOf: ({ tool }, { outcome }) => (outcome ? endOfCall(tool, outcome) : failedStep('nothing ran')),
};

function endOfCall(tool: string, outcome: ToolCallOutcome): StepEnd {
  switch (outcome.status) {
    case 'succeeded':
      return endOfAnswer(tool, outcome);
    case 'failed':
      return failedStep(`the tool ${tool} failed`);
    case 'refused':
      return failedStep(`the call of ${tool} was refused: ${outcome.reason ?? 'not allowed'}`);
    case 'outcome_unknown':
      return failedStep(`it is not known whether the call of ${tool} took effect`);
  }
}

function endOfAnswer(tool: string, outcome: Extract<ToolCallOutcome, { status: 'succeeded' }>): StepEnd {
  const answer = isJsonObject(outcome.result) ? outcome.result : {};
  if (answeredError(outcome)) return failedStep(`the tool ${tool} answered an error`);
  const { foreign } = outcome;
  const output = outputOf(answer, outcome);
  return { kind: 'done', output, ...(foreign !== undefined && { foreign: [foreign] }) };
}

/**
 * The result without its envelope, plus the tool's separate text. For foreign output only the text is kept, since the
 * mark is derived from the text alone.
 */
function outputOf(
  answer: JsonObject,
  { output, result, foreign }: Extract<ToolCallOutcome, { status: 'succeeded' }>,
): JsonObject {
  const inner = isJsonObject(answer['result']) ? answer['result'] : {};
  if (output === JSON.stringify(result)) return inner;
  return foreign === undefined ? { ...inner, text: output } : { text: output };
}
