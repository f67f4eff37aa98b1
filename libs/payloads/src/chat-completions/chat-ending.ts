import { isJson } from '../model-calls/read-json.js';
import { toStorableText, type JsonObject } from '#libs/kernel';
import type { PromptToolCall } from '../chat/prompt-message.js';
import { failedEnding, toHarmlessCode } from '../model-calls/failed-ending.js';
import type { ReportedUsage, ResponseEnding, RestoredAnswer } from '../model-calls/restored-answer.js';
import { toReasoningItem, type ChatReasoning } from './chat-reasoning.js';
import { readChatUsage } from './read-chat-usage.js';

/** Everything that was reported of one answer. */
export interface ReceivedChat {
  readonly id: string | null;
  readonly model: string | null;
  readonly text: string;
  readonly reasoning: ChatReasoning;
  readonly calls: readonly PromptToolCall[];
  /** Calls without a name. */
  readonly droppedCalls: number;
  readonly usage: JsonObject | null;
  readonly finishReason: string;
  /** What the server says went wrong with this choice. */
  readonly error: JsonObject | null;
}

/** Words for "cut at its limit"; the first is the API's own. */
const CUT_SHORT: ReadonlySet<string> = new Set(['length', 'max_tokens', 'model_length', 'max_output_tokens']);
/** Words for "this is no answer". */
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

/** What became of a chat completion that its server has ended. */
export function endChat(chat: ReceivedChat): ResponseEnding {
  const reason = chat.finishReason.toLowerCase();
  const { calls } = chat;
  if (CUT_SHORT.has(reason)) return answered(chat, withoutCutCall(calls), 'max_output_tokens');
  if (reason === 'content_filter') return answered(chat, withoutCutCall(calls), 'content_filter');
  const isEmpty = chat.text === '' && calls.length === 0;
  // A word that nobody knows may still end a good answer; without one it explains why there is none.
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
      // A limit says itself that the answer is not whole.
      ...(droppedCalls > 0 && incompleteReason === null && { droppedCalls }),
    },
  };
}

/** What a limit cut in half is no call: nobody says which one, but it can only be the last. */
function withoutCutCall(calls: readonly PromptToolCall[]): readonly PromptToolCall[] {
  const last = calls.at(-1);
  return last === undefined || isJson(last.arguments) ? calls : calls.slice(0, -1);
}

function storable(text: string | null): string | null {
  return text === null ? null : toStorableText(text);
}
