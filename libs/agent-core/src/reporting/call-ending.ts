import type { JsonValue } from '#libs/kernel';
import type { ToolCallOutcome } from '../journal-entry.js';
import type { CallEnding } from '../tracking/tool-response.js';

/** How a call ended, in the terms of its `tool_response` (3.D-4, 3.D-9, 3.B-4). */
export function describeCallEnding(outcome: ToolCallOutcome, input: JsonValue): CallEnding {
  const { output } = outcome;
  if (outcome.status !== 'refused') return { kind: outcome.status, output, input };
  if (outcome.reason === 'iteration_limit') return { kind: 'beyond_limit', output };
  if (outcome.original !== undefined) return { kind: 'repeated', output, original: outcome.original };
  return { kind: 'refused', output };
}
