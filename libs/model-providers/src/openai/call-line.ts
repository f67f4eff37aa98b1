import type { Clock } from '#libs/kernel';
import type { ResponsesRequest, RestoredAnswer } from '#libs/payloads';
import type OpenAI from 'openai';
import type { APIPromise } from 'openai';
import type { CallWatch } from './call-watch.js';
import { harmlessId } from './harmless.js';

/** What one call works with. Times in milliseconds. */
export interface CallLine {
  readonly client: OpenAI;
  readonly clock: Clock;
  readonly watch: CallWatch;
  /** Until a stream begins, between its events while the model reasons, or until a body is whole. */
  readonly timeoutMs: number;
  /** Between two events of a stream once the model writes. */
  readonly idleTimeoutMs: number;
}

export interface Received {
  readonly answer: RestoredAnswer;
  readonly requestId: string | null;
  /** Null when the answer was not streamed. */
  readonly eventCount: number | null;
}

/** Sends the request; the untyped door of the client, because what comes back is parsed and not believed. */
export function send<Answer>(line: CallLine, body: ResponsesRequest): APIPromise<Answer> {
  line.watch.expectWithin(line.timeoutMs, 'request_timeout');
  return line.client.post<Answer>('/responses', {
    body,
    stream: body.stream,
    signal: line.watch.signal,
  });
}

export function requestIdOf(response: Response): string | null {
  return harmlessId(response.headers.get('x-request-id'));
}
