import { randomBytes } from 'node:crypto';
import type { Answer, AnswerItem } from '../responses/answer.js';
import { countUsage } from '../responses/count-usage.js';
import { seal } from '../responses/encrypted-reasoning.js';
import type { IdSource } from '../responses/id-source.js';
import type { Usage } from '../responses/response-schema.js';
import type { ResponsesRequest } from '../responses/responses-request.js';
import { countCacheWrites, type CacheWrites } from './count-cache-writes.js';
import { toMessageError, type MessageError } from './message-error.js';
import type { MessagesRequestBody } from './messages-request-schema.js';

/** A block of an answer. `input` of a call is text, which may be no JSON. */
export type BuiltBlock =
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: string };

export type StopReason = 'end_turn' | 'tool_use' | 'max_tokens' | 'refusal';

/** A message, before it becomes one body or many events. */
export interface BuiltMessage {
  readonly id: string;
  readonly model: string;
  readonly blocks: readonly BuiltBlock[];
  readonly stopReason: StopReason;
  /** Replaces the end of the message where the model failed. */
  readonly error: MessageError | null;
  /** Usage as the Responses API counts it, for the ledger; undefined if omitted from the answer. */
  readonly usage: Usage | null | undefined;
  readonly writes: CacheWrites;
}

/** Builds the message of an answer. */
export function buildMessage(
  asked: ResponsesRequest,
  body: MessagesRequestBody,
  answer: Answer,
  ids: IdSource,
): BuiltMessage {
  const { items, end } = answer;
  const isShown = body.thinking?.type === 'enabled' || displayOf(body) === 'summarized';
  const counted = countUsage(asked, answer);
  const writes = countCacheWrites(body, answer, counted ?? null);
  const hasRefusal = items.some(({ kind }) => kind === 'refusal');
  return {
    id: `msg_${randomBytes(12).toString('hex')}`,
    model: asked.model,
    blocks: items.map((item) => toBlock(item, isShown, ids)),
    stopReason: hasRefusal ? 'refusal' : stopReasonOf(end, items),
    error: end.status === 'failed' ? toMessageError(end.code, end.message) : null,
    usage: counted && {
      ...counted,
      input_tokens_details: { ...counted.input_tokens_details, ...sumOf(writes) },
    },
    writes,
  };
}

function sumOf({ short, long }: CacheWrites) {
  return { cache_write_tokens: short + long };
}

function displayOf({ thinking }: MessagesRequestBody): string | null {
  return thinking !== undefined && 'display' in thinking ? (thinking.display ?? null) : null;
}

function toBlock(item: AnswerItem, isShown: boolean, ids: IdSource): BuiltBlock {
  switch (item.kind) {
    case 'reasoning': {
      const thinking = isShown ? item.summary.join('\n') : '';
      return { type: 'thinking', thinking, signature: seal(ids.next('rs'), item.thought) };
    }
    case 'text':
      return { type: 'text', text: item.text };
    case 'refusal':
      return { type: 'text', text: item.refusal };
    case 'call': {
      const id = item.callId ?? ids.next('call');
      return { type: 'tool_use', id, name: item.name, input: item.arguments };
    }
  }
}

function stopReasonOf(end: Answer['end'], items: readonly AnswerItem[]): StopReason {
  if (end.status === 'incomplete') return end.reason === 'content_filter' ? 'refusal' : 'max_tokens';
  return items.some(({ kind }) => kind === 'call') ? 'tool_use' : 'end_turn';
}

/** Usage in the format of this API: what the cache read and took is counted beside `input_tokens`. */
export function toMessageUsage(usage: Usage, { short, long }: CacheWrites) {
  const { cached_tokens: read } = usage.input_tokens_details;
  return {
    input_tokens: usage.input_tokens - read - short - long,
    cache_creation_input_tokens: short + long,
    cache_read_input_tokens: read,
    cache_creation: { ephemeral_5m_input_tokens: short, ephemeral_1h_input_tokens: long },
    output_tokens: usage.output_tokens,
    output_tokens_details: { thinking_tokens: usage.output_tokens_details.reasoning_tokens },
    service_tier: 'standard',
  };
}

/** Body of a blocking answer; for a failed model, an error with a success status, as gateways send it. */
export function messageBody(message: BuiltMessage): object {
  if (message.error !== null) return { type: 'error', error: message.error };
  const { usage, writes } = message;
  return {
    ...headOf(message),
    content: message.blocks.map((block) =>
      block.type === 'tool_use' ? { ...block, input: parsed(block.input) } : block,
    ),
    stop_reason: message.stopReason,
    stop_sequence: null,
    ...(usage !== undefined && { usage: usage === null ? null : toMessageUsage(usage, writes) }),
  };
}

export function headOf({ id, model }: BuiltMessage) {
  return { id, type: 'message', role: 'assistant', model };
}

/** A text that is no JSON, or nested too deeply, stays a text, which the real API never sends. */
function parsed(text: string): unknown {
  try {
    const input: unknown = JSON.parse(text);
    // With indents, since without them V8 may write deep values alone that it cannot write within the message.
    JSON.stringify(input, null, 1);
    return input;
  } catch {
    return text;
  }
}
