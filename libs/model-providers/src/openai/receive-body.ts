import type { ModelDelta } from '#libs/agent-core';
import { endingOf, isResponseObject, type ResponsesRequest } from '#libs/payloads';
import { requestIdOf, send, type CallLine, type Received } from './call-line.js';
import { invalidResponse, reportedFailure } from './failure.js';
import { readJson } from './read-json-body.js';
import { translateError, type CallPhase } from './translate-error.js';

/** One call whose answer comes in one piece; what a stream would have shown is shown at once. */
export async function receiveBody(
  line: CallLine,
  body: ResponsesRequest,
  onDelta: (delta: ModelDelta) => void,
): Promise<Received> {
  const { response, requestId } = await receive(line, body);
  if (!isResponseObject(response)) throw invalidResponse({ requestId });
  const ending = endingOf(response);
  if (ending.kind === 'failed') {
    throw reportedFailure({ code: ending.code, responseStatus: ending.status, requestId });
  }
  const { answer } = ending;
  if (!line.watch.isStopped) {
    if (answer.thinking !== '') onDelta({ kind: 'thinking', content: answer.thinking });
    if (answer.text !== '') onDelta({ kind: 'text', content: answer.text });
  }
  return { answer, requestId, eventCount: null };
}

async function receive(
  line: CallLine,
  body: ResponsesRequest,
): Promise<{ readonly response: unknown; readonly requestId: string | null }> {
  let phase: CallPhase = 'request';
  try {
    const response = await send(line, body).asResponse();
    phase = 'answer';
    return { response: await readJson(response), requestId: requestIdOf(response) };
  } catch (error) {
    throw translateError(error, phase, line.clock.now());
  }
}
