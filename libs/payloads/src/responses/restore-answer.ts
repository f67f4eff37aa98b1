import { isJsonObject, toStorableJson, toStorableText, type JsonObject } from '#libs/kernel';
import type { PromptToolCall } from '../chat/prompt-message.js';
import { failedEnding } from '../model-calls/failed-ending.js';
import { readOutputText, readThinking, readToolCalls } from './from-responses-output.js';
import { latestById } from '../model-calls/latest-by-id.js';
import { orderParts } from './order-parts.js';
import { readObject, readObjects, readText } from '../model-calls/read-json.js';
import { readUsage } from '../model-calls/read-usage.js';
import { readAnnotations } from './read-annotations.js';
import type { ReportedUsage, ResponseEnding, RestoredAnswer } from '../model-calls/restored-answer.js';
import { isReplayable } from './to-responses-input.js';

/** What a stream reported before its last event; it wins over the response object where both say the same thing. */
export interface HeardAnswer {
  readonly text: string;
  readonly thinking: string;
  readonly toolCalls: readonly PromptToolCall[];
  /** Items that were done, in order: what a server left out of its response object. */
  readonly items: readonly JsonObject[];
}

const NOTHING_HEARD: HeardAnswer = { text: '', thinking: '', toolCalls: [], items: [] };

/** How a call ended, from the response object of a body or of a stream's last event. */
export function endingOf(response: JsonObject, heard: HeardAnswer = NOTHING_HEARD): ResponseEnding {
  const status = readText(response, 'status') ?? 'completed';
  if (status === 'completed') return answered(response, heard, null);
  const reported = readReported(response);
  if (status !== 'incomplete') {
    const { code, message } = readObject(response, 'error');
    return failedEnding({ status, code, message, reported });
  }
  const reason = readObject(response, 'incomplete_details')['reason'];
  if (reason === 'max_output_tokens' || reason === 'content_filter') {
    return answered(response, heard, reason);
  }
  return failedEnding({ status, code: reason, reported });
}

/** Is this the body of a response at all, and not an HTML page or another API's answer? */
export function isResponseObject(value: unknown): value is JsonObject {
  return isJsonObject(value) && (Array.isArray(value['output']) || typeof value['output_text'] === 'string');
}

function answered(
  response: JsonObject,
  heard: HeardAnswer,
  incompleteReason: RestoredAnswer['incompleteReason'],
): ResponseEnding {
  const whole = readObjects(response, 'output').length > 0 ? response : { ...response, output: heard.items };
  const output = readObjects(whole, 'output');
  const calls = [...readToolCalls(whole), ...heard.toolCalls];
  const toolCalls = latestById(calls.map(toStorableCall).filter(isUsable));
  const parts = orderParts(output, toolCalls);
  const annotations = readAnnotations(output);
  const answer: RestoredAnswer = {
    responseId: storable(readText(response, 'id')),
    model: storable(readText(response, 'model')),
    text: toStorableText(heard.text || readOutputText(whole)),
    thinking: toStorableText(heard.thinking || readThinking(whole)),
    toolCalls,
    usage: readUsage(response),
    incompleteReason,
    providerItems: output
      .filter(isReplayable)
      .map((item) => toStorableJson(item))
      .filter(isJsonObject),
    ...(parts !== null && { parts }),
    ...(annotations.length > 0 && { annotations }),
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

function toStorableCall(call: PromptToolCall): PromptToolCall {
  return {
    id: toStorableText(call.id),
    name: toStorableText(call.name),
    arguments: toStorableText(call.arguments),
  };
}

function isUsable(call: PromptToolCall): boolean {
  return call.id.trim() !== '' && call.name.trim() !== '';
}
