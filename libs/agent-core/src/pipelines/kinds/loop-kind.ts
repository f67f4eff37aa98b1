import { fillText, type AgentStep, type LlmStep } from '#libs/policy';
import { readJsonAnswer } from '../../answers/validate-answer.js';
import type { ExecutionOutcome } from '../../journal-entry.js';
import { childPath } from '../../scopes/scope-path.js';
import { showToModel } from '../step-data.js';
import { failedStep, type CallKind, type StepEnd } from './step-kind.js';

/** A step that runs a model or another agent: a call named after the step, which opens a scope. */
export const loopKind: CallKind<Pick<LlmStep | AgentStep, 'prompt' | 'output_schema'>> = {
  callOf: ({ prompt }, data, toolName) => {
    const filled = fillText(prompt, data.values, showToModel(data));
    return filled === undefined ? null : { toolName, arguments: JSON.stringify({ prompt: filled }) };
  },
  endOf: (step, call, { path, scopes }) => {
    const outcome = scopes.get(childPath(path, call))?.outcome;
    if (outcome === undefined || outcome === null) return failedStep('it was refused');
    return endOfLoop(step, outcome);
  },
};

function endOfLoop(
  { output_schema: schema }: Pick<LlmStep, 'output_schema'>,
  outcome: ExecutionOutcome,
): StepEnd {
  switch (outcome.status) {
    case 'completed': {
      if (schema === undefined) return { kind: 'done', output: outcome.text };
      const read = readJsonAnswer(outcome.text);
      if (read.success) return { kind: 'done', output: read.data };
      return failedStep('its answer is longer than is kept', 'OUTPUT_INVALID');
    }
    case 'incomplete':
      return { kind: 'incomplete', reason: outcome.reason, text: outcome.text };
    case 'failed':
      return failedStep(outcome.error.message, outcome.error.code);
    case 'cancelled':
      return failedStep('it was stopped');
  }
}
