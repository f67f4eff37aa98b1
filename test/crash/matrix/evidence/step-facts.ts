import type { ExecutionEvidence } from './case-evidence.js';
import { unless } from './execution-violations.js';

interface StepFact {
  readonly step: string;
  readonly outcome: { readonly status: string };
}

/**
 * Each step is over once, in this order, with this end, and no call of any is left open. Pure.
 *
 * @param wanted as `extract succeeded`
 * @param isUnknown whether it broke off before the last of them
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
