import type { ModelRequest } from '#libs/agent-core';
import type { JsonObject } from '#libs/kernel';
import type { AnswerDecoder } from '../wire/model-calls/answer-decoder.js';
import type { ResponseEnding } from '../wire/model-calls/restored-answer.js';
import type { AuditedApi } from '../audit-log.js';
import type { HttpAnswer } from './http-answer.js';

/** A request body, with the counts and names that the audit log may contain. */
export interface WireRequest {
  readonly body: { readonly stream: boolean };
  readonly audited: {
    readonly responseFormat: string;
    readonly maxOutputTokens: number | undefined;
    readonly hasUser: boolean;
    readonly hasStop: boolean;
  };
}

/** Path below the base URL, and the body as it is sent. */
export interface LocatedRequest {
  readonly path: string;
  readonly body: object;
}

/** Format of one model API's requests and answers. Pure: no timers or connections. */
export interface WireProtocol {
  /** Path below the server's base URL. */
  readonly path: string;
  /** Path and body as they are sent, where they depend on the request. */
  locate?(body: object): LocatedRequest;
  /** Reads the events of a stream, as they come together; absent for server-sent events. */
  readEvents?(
    answer: Pick<HttpAnswer, 'headers' | 'body'>,
  ): AsyncGenerator<Iterable<unknown>, void, undefined>;
  /** Content type of streams beside `text/event-stream`. */
  readonly streamType?: string;
  /** Name in error messages, e.g. `responses stream`. */
  readonly streamName: string;
  /** Name in audit events, e.g. `responses_api`. */
  readonly auditName: AuditedApi;
  /**
   * Throws `InvalidModelParameterError`.
   * @param stream whether the answer may come in pieces; `enable_stream` of the parameters decides as well
   */
  build(request: ModelRequest, stream: boolean): WireRequest;
  /** The request that continues an answer which ended as `paused`; absent where none does. */
  resume?(body: WireRequest['body'], content: readonly JsonObject[]): WireRequest['body'];
  /** True for an answer's body; false for e.g. another API's. */
  isAnswer(body: unknown): body is JsonObject;
  /** Outcome of a call that was not streamed. */
  endingOf(body: JsonObject): ResponseEnding;
  openDecoder(): AnswerDecoder;
  /** A minimal request (S1-38). */
  ping(model: string): object;
}
