import { asText } from '#libs/policy';
import type { SettledStep } from './step-state.js';

/** The answer of a pipeline, also before it has ended: the output of the last step that has any. */
export function lastOutput(steps: readonly SettledStep[]): string {
  const outputs = steps.flatMap(({ outcome }) => (outcome.status === 'succeeded' ? [outcome.output] : []));
  return asText(outputs.at(-1));
}
