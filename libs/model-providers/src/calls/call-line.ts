import type { ModelDelta } from '#libs/agent-core';
import type { Clock } from '#libs/kernel';
import type { RestoredAnswer } from '#libs/payloads';
import type { CallWatch } from './call-watch.js';
import { harmlessId } from './harmless.js';
import type { HttpAnswer } from './http-answer.js';
import type { RequestSender } from './request-sender.js';
import type { WireProtocol, WireRequest } from './wire-protocol.js';

/** What one call works with. Times in milliseconds. */
export interface CallLine {
  readonly protocol: WireProtocol;
  readonly sender: RequestSender;
  readonly clock: Clock;
  readonly watch: CallWatch;
  /** Until a body is whole, or between the events of a stream while the model reasons. */
  readonly timeoutMs: number;
  /** Until the first byte of a streamed answer. */
  readonly firstByteMs: number;
  /** Between two events of a stream once the model writes. */
  readonly idleTimeoutMs: number;
  /** What no error may give away. */
  readonly secrets: readonly string[];
  readonly onDelta: (delta: ModelDelta) => void;
  /** Somebody has begun to answer. */
  readonly onAlive: () => void;
}

export interface Received {
  readonly answer: RestoredAnswer;
  readonly requestId: string | null;
  /** Null when the answer was not streamed. */
  readonly eventCount: number | null;
}

/**
 * Sends the request. Whoever answers in one piece says nothing until the model has finished, so that only a stream owes its
 * first byte soon.
 */
export async function send(line: CallLine, body: WireRequest['body']): Promise<HttpAnswer> {
  const isSoonDue = body.stream && line.firstByteMs < line.timeoutMs;
  if (isSoonDue) line.watch.expectWithin(line.firstByteMs, 'first_byte_timeout');
  else line.watch.expectWithin(line.timeoutMs, 'request_timeout');
  return line.sender.post(body, line.watch.signal);
}

export function requestIdOf(response: Pick<HttpAnswer, 'headers'>): string | null {
  return harmlessId(response.headers.get('x-request-id'));
}
