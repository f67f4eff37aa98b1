import type { ModelDelta } from '#libs/agent-core';
import type { Clock } from '#libs/kernel';
import type { RestoredAnswer } from '#libs/payloads';
import type OpenAI from 'openai';
import type { CallWatch } from './call-watch.js';
import { harmlessId } from './harmless.js';
import type { WireProtocol, WireRequest } from './wire-protocol.js';

/** What one call works with. Times in milliseconds. */
export interface CallLine {
  readonly protocol: WireProtocol;
  readonly client: OpenAI;
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
 * Sends the request; the untyped door of the client, because what comes back is parsed and not believed. Whoever answers in
 * one piece says nothing until the model has finished, so that only a stream owes its first byte soon.
 */
export async function send(line: CallLine, body: WireRequest['body']): Promise<Response> {
  const isSoonDue = body.stream && line.firstByteMs < line.timeoutMs;
  if (isSoonDue) line.watch.expectWithin(line.firstByteMs, 'first_byte_timeout');
  else line.watch.expectWithin(line.timeoutMs, 'request_timeout');
  const { signal } = line.watch;
  return line.client.post(line.protocol.path, { body, stream: body.stream, signal }).asResponse();
}

export function requestIdOf(response: Response): string | null {
  return harmlessId(response.headers.get('x-request-id'));
}
