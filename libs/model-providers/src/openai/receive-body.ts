import type { ModelDelta } from '#libs/agent-core';
import { endingOf, isResponseObject, type ResponsesRequest } from '#libs/payloads';
import { requestIdOf, send, type CallLine, type Received } from './call-line.js';
import { invalidResponse, reportedFailure } from './failure.js';
import { translateError } from './translate-error.js';

/** One call whose answer comes in one piece; what a stream would have shown is shown at once. */
export async function receiveBody(
  line: CallLine,
  body: ResponsesRequest,
  onDelta: (delta: ModelDelta) => void,
): Promise<Received> {
  const { text, requestId } = await readBody(line, body);
  const response = parse(text);
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

async function readBody(
  line: CallLine,
  body: ResponsesRequest,
): Promise<{ readonly text: string; readonly requestId: string | null }> {
  let phase: 'request' | 'answer' = 'request';
  try {
    const response = await send(line, body).asResponse();
    phase = 'answer';
    return { text: await response.text(), requestId: requestIdOf(response) };
  } catch (error) {
    throw translateError(error, phase, line.clock.now());
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
