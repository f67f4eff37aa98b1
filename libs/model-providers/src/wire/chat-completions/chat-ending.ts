import { toStorableText, type JsonObject } from '#libs/kernel';
import type { PromptToolCall } from '#libs/payloads';
import { isJson } from '../model-calls/read-json.js';
import { failedEnding, toHarmlessCode } from '../model-calls/failed-ending.js';
import type { ReportedUsage, ResponseEnding, RestoredAnswer } from '../model-calls/restored-answer.js';
import { toReasoningItem, type ChatReasoning } from './chat-reasoning.js';
import { readChatUsage } from './read-chat-usage.js';

/** All reported parts of one answer. */
export interface ReceivedChat {
  readonly id: string | null;
  readonly model: string | null;
  readonly text: string;
  readonly reasoning: ChatReasoning;
  readonly calls: readonly PromptToolCall[];
  /** Number of calls without a name. */
  readonly droppedCalls: number;
  readonly usage: JsonObject | null;
  readonly finishReason: string;
  /** Error that the server reported for this choice. */
  readonly error: JsonObject | null;
}

/** Finish reasons for an answer cut at its limit; `length` is the API's own. */
const CUT_SHORT: ReadonlySet<string> = new Set(['length', 'max_tokens', 'model_length', 'max_output_tokens']);
/** Finish reasons for a failed answer. */
const BROKEN: ReadonlySet<string> = new Set([
  'error',
  'abort',
  'aborted',
  'cancelled',
  'canceled',
  'failed',
  'insufficient_system_resource',
]);
const SUCCEEDED: ReadonlySet<string> = new Set(['stop', 'tool_calls', 'function_call']);

/** Ending of a chat completion from its finish reason and content. */
export function endChat(chat: ReceivedChat): ResponseEnding {
  const reason = chat.finishReason.toLowerCase();
  const { calls } = chat;
  if (CUT_SHORT.has(reason)) return answered(chat, withoutCutCall(calls), 'max_output_tokens');
  if (reason === 'content_filter') return answered(chat, withoutCutCall(calls), 'content_filter');
  const isEmpty = chat.text === '' && calls.length === 0;
  // An unknown finish reason may end a good answer; without content it becomes the failure's code.
  if (BROKEN.has(reason) || chat.error !== null || (isEmpty && !SUCCEEDED.has(reason))) return failed(chat);
  return answered(chat, calls, null);
}

function failed({ error, finishReason, ...chat }: ReceivedChat): ResponseEnding {
  return failedEnding({
    status: 'failed',
    code: toHarmlessCode(error?.['code']) ?? toHarmlessCode(finishReason),
    message: error?.['message'],
    reported: reportedBy(chat),
  });
}

function reportedBy({
  id,
  model,
  usage,
}: Pick<ReceivedChat, 'id' | 'model' | 'usage'>): ReportedUsage | null {
  const tokens = usage === null ? null : readChatUsage(usage);
  return tokens === null ? null : { responseId: storable(id), model: storable(model), usage: tokens };
}

function answered(
  { id, model, text, reasoning, usage, droppedCalls }: ReceivedChat,
  toolCalls: readonly PromptToolCall[],
  incompleteReason: RestoredAnswer['incompleteReason'],
): ResponseEnding {
  const item = toolCalls.length > 0 ? toReasoningItem(reasoning) : null;
  return {
    kind: 'answered',
    answer: {
      responseId: storable(id),
      model: storable(model),
      text,
      thinking: reasoning.text,
      toolCalls,
      usage: usage === null ? null : readChatUsage(usage),
      incompleteReason,
      providerItems: item === null ? [] : [item],
      // An incomplete reason already marks the answer as partial.
      ...(droppedCalls > 0 && incompleteReason === null && { droppedCalls }),
    },
  };
}

/** Drops a last call with truncated arguments; only the last one can be cut by a limit. */
function withoutCutCall(calls: readonly PromptToolCall[]): readonly PromptToolCall[] {
  const last = calls.at(-1);
  return last === undefined || isJson(last.arguments) ? calls : calls.slice(0, -1);
}

function storable(text: string | null): string | null {
  return text === null ? null : toStorableText(text);
}
