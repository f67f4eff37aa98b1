import type { ModelCallError } from '#libs/agent-core';
import { requestIdOf, send, type CallLine, type Received } from './call-line.js';
import { isPage } from './error-words.js';
import { invalidResponse, pageInsteadOfResponse } from './failure.js';
import type { HttpAnswer } from './http-answer.js';
import { providerWords } from './provider-words.js';
import { receiveBody } from './receive-body.js';
import { receiveStream } from './receive-stream.js';
import { translateError } from './translate-error.js';
import type { WireRequest } from './wire-protocol.js';

/** Runs one call to its end. The content type decides between body and stream, because some servers never stream. */
export async function receiveAnswer(line: CallLine, body: WireRequest['body']): Promise<Received> {
  const response = await open(line, body);
  if (!body.stream || isJson(response)) return receiveBody(line, response);
  if (!isEventStream(line, response)) throw await noAnswer(line, response);
  return receiveStream(line, response);
}

/** Recognises an HTML page, which indicates a wrong address or a proxy in front of the server. */
async function noAnswer({ secrets }: CallLine, response: HttpAnswer): Promise<ModelCallError> {
  const facts = { requestId: requestIdOf(response) };
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
  return (response.headers.get('content-type') ?? '').toLowerCase();
}
