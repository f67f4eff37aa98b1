import { isJsonObject, type JsonObject } from '#libs/kernel';
import { readObjects } from '../model-calls/read-json.js';
import { failedEnding } from '../model-calls/failed-ending.js';
import type { ResponseEnding } from '../model-calls/restored-answer.js';
import { ChatStreamDecoder } from './decode-chat-stream.js';

/** Is this the body of a chat completion at all, or an error that came with a status of success? */
export function isChatCompletion(value: unknown): value is JsonObject {
  return isJsonObject(value) && (Array.isArray(value['choices']) || isJsonObject(value['error']));
}

/** How a call ended, from a body in one piece: the same as a stream of one chunk. */
export function endingOfChat(body: JsonObject): ResponseEnding {
  const decoder = new ChatStreamDecoder();
  decoder.push({ ...body, choices: readObjects(body, 'choices').map(withReason) });
  return decoder.end() ?? failedEnding({ status: 'failed' });
}

/** A body is whole, so that a server that does not say why it ended has said it. */
function withReason(choice: JsonObject): JsonObject {
  const reason = choice['finish_reason'];
  return typeof reason === 'string' && reason !== '' ? choice : { ...choice, finish_reason: 'stop' };
}
