import type { ModelDelta } from '#libs/agent-core';
import type { Clock, JsonObject } from '#libs/kernel';
import type { ResponseEnding, RestoredAnswer } from '../wire/model-calls/restored-answer.js';
import type { CallWatch } from './call-watch.js';
import type { HttpAnswer } from './http-answer.js';
import type { RequestSender } from './request-sender.js';
import type { WireProtocol, WireRequest } from './wire-protocol.js';

/** Context of one call. Times in milliseconds. */
export interface CallLine {
  readonly protocol: WireProtocol;
  readonly sender: RequestSender;
  readonly clock: Clock;
  readonly watch: CallWatch;
  /** Timeout for a complete body, and between stream events while the model reasons. */
  readonly timeoutMs: number;
  /** Timeout for the first byte of a streamed answer. */
  readonly firstByteMs: number;
  /** Timeout between stream events once the model writes. */
  readonly idleTimeoutMs: number;
  /** Secrets to redact from errors. */
  readonly secrets: readonly string[];
  readonly onDelta: (delta: ModelDelta) => void;
  /** Called when the server begins to answer. */
  readonly onAlive: () => void;
}

export interface Received {
  readonly answer: RestoredAnswer;
  readonly requestId: string | null;
  /** Content of an answer that the provider interrupted, by which it goes on; null for a whole answer. */
  readonly paused: readonly JsonObject[] | null;
  /** Null if the answer was not streamed. */
  readonly eventCount: number | null;
}

/** Content by which an interrupted answer goes on. */
export function pausedContent(ending: ResponseEnding): Received['paused'] {
  return ending.kind === 'paused' ? ending.content : null;
}

/** Sends the request. Only streams have the first-byte timeout: other answers begin when the model has finished. */
export async function send(line: CallLine, body: WireRequest['body']): Promise<HttpAnswer> {
  const isSoonDue = body.stream && line.firstByteMs < line.timeoutMs;
  if (isSoonDue) line.watch.expectWithin(line.firstByteMs, 'first_byte_timeout');
  else line.watch.expectWithin(line.timeoutMs, 'request_timeout');
  return line.sender.post(body, line.watch.signal);
}
