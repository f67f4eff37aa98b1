import type { ExecutionEvidence } from './case-evidence.js';
import { unless } from './execution-violations.js';

interface StepFact {
  readonly step: string;
  readonly outcome: { readonly status: string };
}

/**
 * The violations of the steps: each has to settle once, in this order, with this ending, and leave no call open. Pure.
 *
 * @param wanted steps such as `extract succeeded`
 * @param isUnknown whether the execution broke off before the last step
 */
export function ofSteps(
  { journal, steps }: Pick<ExecutionEvidence, 'journal' | 'steps'>,
  wanted: readonly string[],
  isUnknown: boolean,
): string[] {
  const facts = journal.filter(({ kind }) => kind === 'step_settled').map(({ data }) => data as unknown);
  const found = (facts as StepFact[]).map(({ step, outcome }) => `${step} ${outcome.status}`);
  const expected = isUnknown ? wanted.slice(0, found.length) : wanted;
  return [
    ...unless(found.join() === expected.join(), `its steps: ${found.join(', ')}`),
    ...steps.flatMap(({ scope, tool_name, status }) =>
      unless(status !== 'started', `the audit leaves ${tool_name} of "${scope}" open`),
    ),
  ];
}
