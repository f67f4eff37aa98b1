import { isJsonObject, type JsonObject, toStorableJson, toStorableText } from '#libs/kernel';
import type { AnswerPart, PromptToolCall } from '#libs/payloads';
import { distinctCalls } from '../model-calls/distinct-calls.js';
import { failedEnding } from '../model-calls/failed-ending.js';
import { BETWEEN_PARTS } from '../model-calls/parted-text.js';
import { isPlainOrder } from '../model-calls/plain-order.js';
import { isJson, readObject, readObjects, readText } from '../model-calls/read-json.js';
import { readUsage } from '../model-calls/read-usage.js';
import type { ReportedUsage, ResponseEnding, RestoredAnswer } from '../model-calls/restored-answer.js';
import { readMessageTexts, readOutputText, readThinking, readToolCall } from './from-responses-output.js';
import { readAnnotations } from './read-annotations.js';
import { ResponseItems } from './response-items.js';
import { isReplayable } from './to-responses-input.js';

/** Ending of a call, from a body in one piece. */
export function endingOf(response: JsonObject): ResponseEnding {
  const items = new ResponseItems();
  const output = items.end(items.take(readObjects(response, 'output')));
  if (items.areTooMany || output === null) return failedEnding({ code: 'answer_too_large' });
  return ended({ ...response, output }, '');
}

/**
 * Ending of a stream, from its last event with all reported items as `output`.
 * @param thinking reasoning that was shown
 */
export function endingOfStream(response: JsonObject, thinking: string): ResponseEnding {
  const hasText = readObjects(response, 'output').some((item) => readMessageTexts(item).length > 0);
  return ended(hasText ? { ...response, output_text: null } : response, thinking);
}

/** Fails a stream with arguments that cannot be assigned: a guess could run a tool with the arguments of another. */
export function ambiguousCalls(response: JsonObject): ResponseEnding {
  const message =
    'the arguments of several tool calls name no call, so that it is not known which call has which';
  return failedEnding({
    status: 'failed',
    code: 'ambiguous_tool_calls',
    message,
    reported: readReported(response),
  });
}

function ended(response: JsonObject, thinking: string): ResponseEnding {
  const status = readText(response, 'status') ?? 'completed';
  if (status === 'completed') return answered(response, thinking, null);
  const reported = readReported(response);
  if (status !== 'incomplete') {
    const { code, message } = readObject(response, 'error');
    return failedEnding({ status, code, message, reported });
  }
  const reason = readObject(response, 'incomplete_details')['reason'];
  if (reason === 'max_output_tokens' || reason === 'content_filter') {
    return answered(response, thinking, reason);
  }
  return failedEnding({ status, code: reason, reported });
}

/** Whether the body is a response object, and not an HTML page or another API's answer. */
export function isResponseObject(value: unknown): value is JsonObject {
  return isJsonObject(value) && (Array.isArray(value['output']) || typeof value['output_text'] === 'string');
}

function answered(
  response: JsonObject,
  thinking: string,
  incompleteReason: RestoredAnswer['incompleteReason'],
): ResponseEnding {
  const output = readObjects(response, 'output');
  const { calls, dropped } = readCalls(output, incompleteReason !== null);
  const parts = orderParts(output, calls);
  const annotations = readAnnotations(output);
  const answer: RestoredAnswer = {
    responseId: storable(readText(response, 'id')),
    model: storable(readText(response, 'model')),
    text: toStorableText(readOutputText(response)),
    thinking: toStorableText(thinking || readThinking(response)),
    toolCalls: [...calls.values()],
    usage: readUsage(response),
    incompleteReason,
    providerItems: output
      .filter(isReplayable)
      .map((item) => toStorableJson(item))
      .filter(isJsonObject),
    ...(parts !== null && { parts }),
    ...(annotations.length > 0 && { annotations }),
    ...(dropped > 0 && { droppedCalls: dropped }),
  };
  return { kind: 'answered', answer };
}

function readReported(response: JsonObject): ReportedUsage | null {
  const usage = readUsage(response);
  if (usage === null) return null;
  return {
    responseId: storable(readText(response, 'id')),
    model: storable(readText(response, 'model')),
    usage,
  };
}

function storable(text: string | undefined): string | null {
  return text === undefined ? null : toStorableText(text);
}

interface ReadCalls {
  readonly calls: ReadonlyMap<JsonObject, PromptToolCall>;
  /** Number of further calls that cannot run; 0 if an incomplete reason already marks the answer as partial. */
  readonly dropped: number;
}

/** Calls with id and name (3.B-8), made unique by id; calls truncated by a limit are dropped. */
function readCalls(output: readonly JsonObject[], isCut: boolean): ReadCalls {
  const items = output.filter((item) => item['type'] === 'function_call');
  const usable = items.flatMap((item) => {
    const call = readToolCall(item);
    const isNamed = call !== null && toStorableText(call.id).trim() !== '' && call.name.trim() !== '';
    const isUsable = isNamed && !(isCut && !isJson(call.arguments));
    return isUsable ? [{ item, ...toStorableCall(call) }] : [];
  });
  const calls = new Map(distinctCalls(usable).map(({ item, ...call }) => [item, call]));
  return { calls, dropped: isCut ? 0 : items.length - usable.length };
}

function toStorableCall(call: PromptToolCall): PromptToolCall {
  return {
    id: toStorableText(call.id),
    name: toStorableText(call.name),
    arguments: toStorableText(call.arguments),
  };
}

/** Pieces of an answer in item order; null if that equals the plain order. */
function orderParts(
  output: readonly JsonObject[],
  calls: ReadonlyMap<JsonObject, PromptToolCall>,
): AnswerPart[] | null {
  let reasoned = 0;
  const parts = output.flatMap((item): AnswerPart[] => {
    if (isReplayable(item)) return [{ kind: 'reasoning', index: reasoned++ }];
    if (item['type'] === 'message') return toMessagePart(item);
    const call = calls.get(item);
    return call === undefined ? [] : [{ kind: 'call', callId: call.id }];
  });
  return isPlainOrder(parts) ? null : parts;
}

function toMessagePart(item: JsonObject): AnswerPart[] {
  const text = toStorableText(readMessageTexts(item).join(BETWEEN_PARTS));
  const phase = readText(item, 'phase');
  if (text === '') return [];
  return [{ kind: 'message', text, phase: phase === undefined ? null : toStorableText(phase) }];
}
