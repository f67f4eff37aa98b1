import { toStorableJson, type JsonObject, type JsonValue } from '#libs/kernel';
import type { RequestedCall } from '../journal-entry.js';
import { redactSecrets } from './redact-secrets.js';

/** What came of a call, as `log` events have it (3.E-6). */
export type ToolResponse = {
  readonly tool_call_id: string;
  readonly tool_call_name: string;
  readonly tool_call_input?: JsonValue;
  /** What the model reads, as far as clients see it. */
  readonly tool_response: string;
  readonly meta?: { readonly time_cost: number; readonly error: string; readonly tool_config: JsonObject };
};

/** The ways in which a call ends, as far as its `ToolResponse` differs (3.D-4, 3.D-9, 3.B-4). */
export type CallEnding =
  | {
      readonly kind: 'succeeded' | 'failed' | 'outcome_unknown';
      readonly output: string;
      readonly input: unknown;
    }
  /** Its arguments, its name or its options were not usable, or a person said no. */
  | { readonly kind: 'refused'; readonly output: string }
  /** `original` is what the model read when an equal call failed. */
  | { readonly kind: 'repeated'; readonly output: string; readonly original: string }
  /** It was asked for in the last permitted round. */
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
