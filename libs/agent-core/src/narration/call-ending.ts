import type { JsonValue } from '#libs/kernel';
import { iterationLimitText, REPEATED_FAILURE_TEXT } from '#libs/tooling';
import type { ToolCallState } from '../execution-state.js';
import type { ToolCallOutcome } from '../journal-entry.js';
import type { CallEnding } from '../tracking/tool-response.js';

/** How a call ended, in the terms of its `tool_response` (3.D-4, 3.D-9, 3.B-4). */
export function describeCallEnding(
  call: ToolCallState,
  outcome: ToolCallOutcome,
  input: JsonValue,
  maximumIterations: number,
): CallEnding {
  const { output } = outcome;
  if (outcome.status !== 'refused') return { kind: outcome.status, output, input };
  if (output === iterationLimitText(call.toolName, maximumIterations))
    return { kind: 'beyond_limit', output };
  if (output === REPEATED_FAILURE_TEXT)
    return { kind: 'repeated', output, original: outcome.original ?? output };
  return { kind: 'refused', output };
}
