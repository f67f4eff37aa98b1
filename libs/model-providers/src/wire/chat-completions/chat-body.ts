import { isJsonObject, type JsonObject } from '#libs/kernel';
import { readObjects } from '../model-calls/read-json.js';
import { failedEnding } from '../model-calls/failed-ending.js';
import type { ResponseEnding } from '../model-calls/restored-answer.js';
import { ChatStreamDecoder } from './decode-chat-stream.js';

/** Whether the body is a chat completion or an error sent with a success status. */
export function isChatCompletion(value: unknown): value is JsonObject {
  return isJsonObject(value) && (Array.isArray(value['choices']) || isJsonObject(value['error']));
}

/** Decodes a body in one piece as a stream of one chunk. */
export function endingOfChat(body: JsonObject): ResponseEnding {
  const decoder = new ChatStreamDecoder();
  decoder.push({ ...body, choices: readObjects(body, 'choices').map(withReason) });
  return decoder.end() ?? failedEnding({ status: 'failed' });
}

/** A body in one piece is complete, so a missing finish reason counts as `stop`. */
function withReason(choice: JsonObject): JsonObject {
  const reason = choice['finish_reason'];
  return typeof reason === 'string' && reason !== '' ? choice : { ...choice, finish_reason: 'stop' };
}
