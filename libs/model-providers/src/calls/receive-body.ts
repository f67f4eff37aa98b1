import { failedResponse } from './failed-response.js';
import { pausedContent, requestIdOf, type CallLine, type Received } from './call-line.js';
import { invalidResponse } from './failure.js';
import type { HttpAnswer } from './http-answer.js';
import { providerWords } from './provider-words.js';
import { readJson } from './read-json-body.js';
import { translateError } from './translate-error.js';

/** Reads an answer that was not streamed, and reports its content as deltas at once. */
export async function receiveBody(line: CallLine, response: HttpAnswer): Promise<Received> {
  line.watch.expectWithin(line.timeoutMs, 'request_timeout');
  const requestId = requestIdOf(response);
  const body = await read(line, response);
  line.onAlive();
  if (!line.protocol.isAnswer(body))
    throw invalidResponse({ requestId, words: providerWords(body, line.secrets) });
  const ending = line.protocol.endingOf(body);
  if (ending.kind === 'failed') throw failedResponse(ending, requestId, line);
  const { answer } = ending;
  if (!line.watch.isStopped) {
    if (answer.thinking !== '') line.onDelta({ kind: 'thinking', content: answer.thinking });
    if (answer.text !== '') line.onDelta({ kind: 'text', content: answer.text });
  }
  return { answer, requestId, paused: pausedContent(ending), eventCount: null };
}

async function read(line: CallLine, response: HttpAnswer): Promise<unknown> {
  try {
    return await readJson(response);
  } catch (error) {
    throw translateError(error, {
      phase: 'answer',
      streamName: line.protocol.streamName,
      now: line.clock.now(),
      secrets: line.secrets,
    });
  }
}
