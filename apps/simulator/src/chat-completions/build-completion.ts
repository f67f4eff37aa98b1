import { randomBytes } from 'node:crypto';
import type { Answer, AnswerItem } from '../responses/answer.js';
import { countUsage } from '../responses/count-usage.js';
import type { IdSource } from '../responses/id-source.js';
import type { Usage } from '../responses/response-schema.js';
import type { ResponsesRequest } from '../responses/responses-request.js';

export interface CompletionCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter';

/** A chat completion, before it becomes one body or many chunks. */
export interface BuiltCompletion {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  readonly model: string;
  readonly reasoning: string;
  readonly content: string;
  readonly refusal: string;
  readonly calls: readonly CompletionCall[];
  readonly finishReason: FinishReason;
  /** Replaces the other fields where the model failed. */
  readonly error: { readonly message: string; readonly type: string; readonly code: string } | null;
  /** Usage as the Responses API counts it, for the ledger; undefined if omitted from the answer. */
  readonly usage: Usage | null | undefined;
}

/** Builds the completion of an answer. `nowMs` is the time of the request in Unix milliseconds. */
export function buildCompletion(
  request: ResponsesRequest,
  answer: Answer,
  ids: IdSource,
  nowMs: number,
): BuiltCompletion {
  const { items, end } = answer;
  const calls = items.flatMap((item) => (item.kind === 'call' ? toCall(item, ids) : []));
  return {
    id: `chatcmpl-${randomBytes(12).toString('hex')}`,
    created: Math.floor(nowMs / 1_000),
    model: request.model,
    reasoning: textsOf(items, (item) => (item.kind === 'reasoning' ? item.summary.join('\n') : '')),
    content: textsOf(items, (item) => (item.kind === 'text' ? item.text : '')),
    refusal: textsOf(items, (item) => (item.kind === 'refusal' ? item.refusal : '')),
    calls,
    finishReason: finishReasonOf(end, calls.length > 0),
    error: end.status === 'failed' ? { message: end.message, type: 'server_error', code: end.code } : null,
    usage: countUsage(request, answer),
  };
}

function textsOf(items: readonly AnswerItem[], read: (item: AnswerItem) => string): string {
  return items
    .map(read)
    .filter((text) => text !== '')
    .join('\n');
}

function toCall(item: Extract<AnswerItem, { kind: 'call' }>, ids: IdSource): CompletionCall {
  const id = item.callId ?? ids.next('call');
  return { id, type: 'function', function: { name: item.name, arguments: item.arguments } };
}

function finishReasonOf(end: Answer['end'], hasCalls: boolean): FinishReason {
  if (end.status === 'incomplete') return end.reason === 'content_filter' ? 'content_filter' : 'length';
  return hasCalls ? 'tool_calls' : 'stop';
}

/** Usage in the format of this API. */
export function toChatUsage(usage: Usage) {
  return {
    prompt_tokens: usage.input_tokens,
    completion_tokens: usage.output_tokens,
    total_tokens: usage.total_tokens,
    prompt_tokens_details: { cached_tokens: usage.input_tokens_details.cached_tokens },
    completion_tokens_details: { reasoning_tokens: usage.output_tokens_details.reasoning_tokens },
  };
}

/** Body of a blocking answer; for a failed model, an error with a success status, as gateways send it. */
export function completionBody(completion: BuiltCompletion): object {
  const { id, created, model, reasoning, content, refusal, calls, finishReason, error, usage } = completion;
  if (error !== null) return { error };
  const message = {
    role: 'assistant',
    content: content === '' && (calls.length > 0 || refusal !== '') ? null : content,
    refusal: refusal === '' ? null : refusal,
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason }],
    ...(usage !== undefined && { usage: usage === null ? null : toChatUsage(usage) }),
  };
}
