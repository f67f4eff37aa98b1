import { ModelCallError, type ModelDelta } from '#libs/agent-core';
import { joinAnswers } from '../wire/model-calls/join-answers.js';
import { BETWEEN_PARTS } from '../wire/model-calls/parted-text.js';
import type { RestoredAnswer } from '../wire/model-calls/restored-answer.js';
import { type CallLine, pausedContent, type Received, send } from './call-line.js';
import { isPage } from './error-words.js';
import { failedResponse } from './failed-response.js';
import { invalidResponse, pageInsteadOfResponse } from './failure.js';
import { type HttpAnswer, readJson } from './http-answer.js';
import { providerWords } from './provider-words.js';
import { receiveStream } from './receive-stream.js';
import { readRequestId } from './read-request-id.js';
import { translateError } from './translate-error.js';
import type { WireRequest } from './wire-protocol.js';

/** Maximum continuations of one answer; a provider that interrupts more often is at fault. */
const MAX_PAUSES = 16;

/** Runs one call to its end. An answer that the provider interrupted is continued, and joined. */
export async function receiveWhole(line: CallLine, body: WireRequest['body']): Promise<Received> {
  const { protocol } = line;
  let received = await receiveAnswer(line, body);
  let asked = body;
  for (let pauses = 0; received.paused !== null && protocol.resume && pauses < MAX_PAUSES; pauses += 1) {
    asked = protocol.resume(asked, received.paused);
    received = joined(received, await continued(line, asked, received.answer));
  }
  return received;
}

/** The usage so far is not lost with a continuation that fails. */
async function continued(
  line: CallLine,
  body: WireRequest['body'],
  begun: RestoredAnswer,
): Promise<Received> {
  try {
    return await receiveAnswer({ ...line, onDelta: afterBreak(line.onDelta, begun) }, body);
  } catch (error) {
    const { usage, responseId, model } = begun;
    if (!(error instanceof ModelCallError) || error.spent !== null || usage === null) throw error;
    const { reason, message, retryable, retryAfterMs, details } = error;
    const spent = { responseId, model, usage };
    throw new ModelCallError({ reason, message, retryable, retryAfterMs, details, spent });
  }
}

function joined(begun: Received, next: Received): Received {
  const events = [begun.eventCount, next.eventCount].filter((count) => count !== null);
  return {
    ...next,
    answer: joinAnswers(begun.answer, next.answer),
    eventCount: events.length === 0 ? null : events.reduce((sum, count) => sum + count),
  };
}

/** Shows the continuation on a line of its own, as it is stored. */
function afterBreak(onDelta: CallLine['onDelta'], begun: RestoredAnswer): CallLine['onDelta'] {
  const due = new Set<ModelDelta['kind']>();
  if (begun.text !== '') due.add('text');
  if (begun.thinking !== '') due.add('thinking');
  return (delta) => {
    if (delta.kind !== 'tool_call' && due.delete(delta.kind))
      onDelta({ ...delta, content: BETWEEN_PARTS + delta.content });
    else onDelta(delta);
  };
}

/** Reads an answer that was not streamed, and reports its content as deltas at once. */
async function receiveBody(line: CallLine, response: HttpAnswer): Promise<Received> {
  line.watch.expectWithin(line.timeoutMs, 'request_timeout');
  const requestId = readRequestId(response);
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

/** Runs one call to its end. The content type decides between body and stream, because some servers never stream. */
async function receiveAnswer(line: CallLine, body: WireRequest['body']): Promise<Received> {
  const response = await open(line, body);
  if (!body.stream || isJson(response)) return receiveBody(line, response);
  if (!isEventStream(line, response)) throw await noAnswer(line, response);
  return receiveStream(line, response);
}

/** Recognises an HTML page, which indicates a wrong address or a proxy in front of the server. */
async function noAnswer({ secrets }: CallLine, response: HttpAnswer): Promise<ModelCallError> {
  const facts = { requestId: readRequestId(response) };
  const text = await response.text().catch(() => '');
  return isPage(text) ? pageInsteadOfResponse(providerWords(text, secrets), facts) : invalidResponse(facts);
}

async function open(line: CallLine, body: WireRequest['body']): Promise<HttpAnswer> {
  try {
    return await send(line, body);
  } catch (error) {
    throw translateError(error, {
      phase: 'request',
      streamName: line.protocol.streamName,
      now: line.clock.now(),
      secrets: line.secrets,
    });
  }
}

function isJson(response: HttpAnswer): boolean {
  return contentTypeOf(response).includes('json');
}

/** A missing content type counts as an event stream, because some compatible servers send none. */
function isEventStream({ protocol: { streamType } }: CallLine, response: HttpAnswer): boolean {
  const type = contentTypeOf(response) || 'text/event-stream';
  const isStream =
    type.includes('text/event-stream') || (streamType !== undefined && type.includes(streamType));
  return response.body !== null && isStream;
}

function contentTypeOf(response: HttpAnswer): string {
  return (response.get('content-type') ?? '').toLowerCase();
}
