import type { JsonValue } from '#libs/kernel';
import { asText } from '#libs/policy';
import type { SettledStep } from './step-state.js';

/** Output of the last step that succeeded; undefined if none did. */
export function lastValue(steps: readonly SettledStep[]): JsonValue | undefined {
  return steps.flatMap(({ outcome }) => (outcome.status === 'succeeded' ? [outcome.output] : [])).at(-1);
}

/** The partial answer of a pipeline that has not ended. */
export function lastOutput(steps: readonly SettledStep[]): string {
  return asText(lastValue(steps));
}
