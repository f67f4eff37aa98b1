import type { JsonValue } from '#libs/kernel';
import { asText } from '#libs/policy';
import type { SettledStep } from './step-state.js';

/** The output of the last step that has any; undefined where none has. */
export function lastValue(steps: readonly SettledStep[]): JsonValue | undefined {
  return steps.flatMap(({ outcome }) => (outcome.status === 'succeeded' ? [outcome.output] : [])).at(-1);
}

/** What there is of the answer of a pipeline before it has ended. */
export function lastOutput(steps: readonly SettledStep[]): string {
  return asText(lastValue(steps));
}
