import { toStorableJson, type JsonObject, type JsonValue } from '#libs/kernel';
import type { RequestedCall, ToolCallOutcome } from '../journal-entry.js';
import { redactSecrets } from './redact-secrets.js';

/** The result of a call in `log` events (3.E-6). */
export type ToolResponse = {
  readonly tool_call_id: string;
  readonly tool_call_name: string;
  readonly tool_call_input?: JsonValue;
  /** Text that the model reads, reduced to what clients may see. */
  readonly tool_response: string;
  readonly meta?: { readonly time_cost: number; readonly error: string; readonly tool_config: JsonObject };
};

/** The endings of a call that produce different `ToolResponse`s (3.D-4, 3.D-9, 3.B-4). */
export type CallEnding =
  | {
      readonly kind: 'succeeded' | 'failed' | 'outcome_unknown';
      readonly output: string;
      readonly input: unknown;
    }
  /** Its arguments, name or options were invalid, or a person denied it. */
  | { readonly kind: 'refused'; readonly output: string }
  /** `original` is the output that the model read when an equal call failed. */
  | { readonly kind: 'repeated'; readonly output: string; readonly original: string }
  /** The model requested it in the last permitted round. */
  | { readonly kind: 'beyond_limit'; readonly output: string };

export function describeToolResponse(call: RequestedCall, ending: CallEnding): ToolResponse {
  const named = { tool_call_id: call.callId, tool_call_name: call.toolName };
  const { output: tool_response } = ending;
  switch (ending.kind) {
    case 'succeeded':
    case 'failed':
    case 'outcome_unknown':
      return { ...named, tool_call_input: redactSecrets(toStorableJson(ending.input)), tool_response };
    case 'refused':
      return { ...named, tool_response, meta: errorMeta(ending.output) };
    case 'repeated':
      return { ...named, tool_response, meta: errorMeta(ending.original) };
    case 'beyond_limit':
      return { ...named, tool_response };
  }
}

function errorMeta(error: string): NonNullable<ToolResponse['meta']> {
  return { time_cost: 0, error, tool_config: {} };
}

/** How a call ended, in the terms of its `tool_response` (3.D-4, 3.D-9, 3.B-4). */
export function describeCallEnding(outcome: ToolCallOutcome, input: JsonValue): CallEnding {
  const { output } = outcome;
  if (outcome.status !== 'refused') return { kind: outcome.status, output, input };
  if (outcome.reason === 'iteration_limit') return { kind: 'beyond_limit', output };
  if (outcome.original !== undefined) return { kind: 'repeated', output, original: outcome.original };
  return { kind: 'refused', output };
}
