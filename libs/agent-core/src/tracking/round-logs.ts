import type { JsonValue } from '#libs/kernel';
import { parseToolArguments } from '#libs/tooling';
import type { RequestedCall } from '../journal-entry.js';
import type { ExecutionMetadata } from './execution-metadata.js';
import { finishLog, startLog, type LogData, type LogMetadata } from './log-data.js';
import { redactSecrets } from './redact-secrets.js';
import type { ToolResponse } from './tool-response.js';

/** End of a round or call. `error` is safe to show; null if it succeeded. */
export interface Finished {
  /** Milliseconds since the epoch. */
  readonly finishedAt: number;
  readonly error: string | null;
}

/** Usage of a round or a model call; null if the provider reported none. */
export type Usage = Pick<ExecutionMetadata, 'total_price' | 'currency' | 'total_tokens'> | null;

/** The log of a whole round; the logs of its calls have `id` as their parent (3.E-4). `startedAt` in milliseconds. */
export function startRoundLog(round: {
  readonly id: string;
  readonly number: number;
  readonly startedAt: number;
}): LogData {
  return startLog({ id: round.id, label: `ROUND ${round.number}`, parentId: null }, round.startedAt);
}

export type RoundData = {
  readonly output: { readonly llm_response: string; readonly tool_responses: readonly ToolResponse[] };
};

/** @param response text that the user may see: see `visibleResponse` */
export function finishRoundLog(
  start: LogData,
  ending: Finished & {
    readonly response: string;
    readonly toolResponses: readonly ToolResponse[];
    readonly usage: Usage;
  },
): LogData<RoundData> {
  const data = { output: { llm_response: ending.response, tool_responses: ending.toolResponses } };
  return finishLog(start, { ...ending, data, metadata: usageOf(ending.usage) });
}

/** The log of one model call. `startedAt` in milliseconds. */
export function startThoughtLog(thought: {
  readonly id: string;
  readonly roundId: string;
  readonly model: string;
  readonly provider: string;
  readonly startedAt: number;
}): LogData {
  const named = { id: thought.id, label: `${thought.model} Thought`, parentId: thought.roundId };
  return startLog(named, thought.startedAt, { provider: thought.provider });
}

export type ThoughtData = {
  readonly output: string;
  /** Tool names, joined by `;`. */
  readonly tool_name: string;
  readonly tool_input: readonly { readonly name: string; readonly args: JsonValue }[];
};

/** @param response text that the user may see: see `visibleResponse` */
export function finishThoughtLog(
  start: LogData,
  ending: Finished & {
    readonly response: string;
    readonly calls: readonly RequestedCall[];
    readonly usage: Usage;
  },
): LogData<ThoughtData> {
  const data: ThoughtData = {
    output: ending.response,
    tool_name: ending.calls.map((call) => call.toolName).join(';'),
    tool_input: ending.calls.map((call) => ({ name: call.toolName, args: readArguments(call) })),
  };
  return finishLog(start, { ...ending, data, metadata: usageOf(ending.usage) });
}

/** The log of one tool call. `provider` is `''` for a tool that does not exist (3.D-3); `startedAt` in milliseconds. */
export function startCallLog(call: {
  readonly id: string;
  readonly roundId: string;
  readonly toolName: string;
  readonly provider: string;
  readonly startedAt: number;
}): LogData {
  const named = { id: call.id, label: `CALL ${call.toolName}`, parentId: call.roundId };
  return startLog(named, call.startedAt, { provider: call.provider });
}

export type CallData = {
  readonly output: ToolResponse;
};

export function finishCallLog(
  start: LogData,
  ending: Finished & { readonly toolResponse: ToolResponse },
): LogData<CallData> {
  return finishLog(start, { ...ending, data: { output: ending.toolResponse } });
}

/** Unknown tokens and prices are null, with the currency `''` (3.E-5). */
function usageOf(usage: Usage): Pick<LogMetadata, 'total_price' | 'currency' | 'total_tokens'> {
  if (usage === null) return { total_price: null, currency: '', total_tokens: null };
  const { total_price, currency, total_tokens } = usage;
  return { total_price, currency, total_tokens };
}

/** Arguments that cannot be parsed count as empty (3.B-7). */
function readArguments(call: RequestedCall): JsonValue {
  const parsed = parseToolArguments(call.arguments);
  return parsed.success ? redactSecrets(parsed.data) : {};
}
