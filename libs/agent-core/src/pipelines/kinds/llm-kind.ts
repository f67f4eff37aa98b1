import { fillText, type LlmStep } from '#libs/policy';
import { readJsonAnswer } from '../../answers/read-json-answer.js';
import type { ExecutionOutcome } from '../../journal-entry.js';
import { childPath } from '../../scopes/scope-path.js';
import { mayHaveTakenEffect } from '../may-have-taken-effect.js';
import { showToModel } from '../step-data.js';
import { failedStep, type StepEnd, type StepKind } from './step-kind.js';

/** One call, by the name of the step, that is run as a loop of its own; its answer is the output. */
export const llmKind: StepKind<LlmStep> = {
  callsOf: (step, data, callId) => {
    const prompt = fillText(step.prompt, data.values, showToModel(data));
    return [{ callId, toolName: step.name, arguments: JSON.stringify({ prompt }) }];
  },
  endOf: (step, ended) => {
    const [call] = ended.round.calls;
    if (call === undefined) return failedStep('nothing ran', true);
    const scope = childPath(ended.path, call);
    const outcome = ended.scopes.get(scope)?.outcome;
    if (outcome === undefined || outcome === null) return failedStep('it was refused', false);
    return endOfLoop(step, outcome, !mayHaveTakenEffect(ended.scopes, scope));
  },
};

function endOfLoop(
  { output_schema: schema }: Pick<LlmStep, 'output_schema'>,
  outcome: ExecutionOutcome,
  mayRepeat: boolean,
): StepEnd {
  switch (outcome.status) {
    case 'completed': {
      if (schema === undefined) return { kind: 'done', output: outcome.text };
      const read = readJsonAnswer(outcome.text);
      return read.success
        ? { kind: 'done', output: read.data }
        : failedStep('its answer is longer than is kept', mayRepeat, 'OUTPUT_INVALID');
    }
    case 'incomplete':
      return { kind: 'incomplete', reason: outcome.reason, text: outcome.text };
    case 'failed':
      return failedStep(outcome.error.message, mayRepeat, outcome.error.code);
    case 'cancelled':
      return failedStep('it was stopped', false);
  }
}
