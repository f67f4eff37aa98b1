import { isJsonObject, type JsonObject } from '#libs/kernel';
import { failedEnding } from '../model-calls/failed-ending.js';
import { readObject, readObjects, readText } from '../model-calls/read-json.js';
import type { ResponseEnding } from '../model-calls/restored-answer.js';
import { endMessage } from './messages-ending.js';

/** Whether the body is a message, or an error sent with a success status. */
export function isMessage(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false;
  return value['type'] === 'error' ? isJsonObject(value['error']) : Array.isArray(value['content']);
}

/** Ending of a call, from a body in one piece; without a stop reason it is complete. */
export function endingOfMessage(body: JsonObject): ResponseEnding {
  if (body['type'] === 'error') {
    const { type, message } = readObject(body, 'error');
    return failedEnding({ status: 'failed', code: type, message });
  }
  const { usage } = body;
  return endMessage({
    id: readText(body, 'id') ?? null,
    model: readText(body, 'model') ?? null,
    blocks: readObjects(body, 'content').map((block) => ({ block, written: null })),
    usage: isJsonObject(usage) ? usage : null,
    stopReason: readText(body, 'stop_reason') || 'end_turn',
  });
}
