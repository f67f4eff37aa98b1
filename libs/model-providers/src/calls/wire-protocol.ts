import type { ModelRequest } from '#libs/agent-core';
import type { JsonObject } from '#libs/kernel';
import type { AnswerDecoder, ResponseEnding } from '#libs/payloads';
import type { AuditedApi } from '../audit-log.js';

/** What is sent, and what the audit log may say of it: counts and names, never content. */
export interface WireRequest {
  readonly body: { readonly stream: boolean };
  readonly audited: {
    readonly responseFormat: string;
    readonly maxOutputTokens: number | undefined;
    readonly hasUser: boolean;
    readonly hasStop: boolean;
  };
}

/** One API of model calls: what is sent there and how its answers are read. Nothing here waits or connects. */
export interface WireProtocol {
  /** Below the base of the server. */
  readonly path: string;
  /** In the texts of errors, e.g. `responses stream`. */
  readonly streamName: string;
  /** In the events of the audit log, e.g. `responses_api`. */
  readonly auditName: AuditedApi;
  /** Throws `InvalidModelParameterError`. */
  build(request: ModelRequest): WireRequest;
  /** Is this the body of an answer at all, and not an HTML page or another API's? */
  isAnswer(body: unknown): body is JsonObject;
  /** How a call ended whose answer came in one piece. */
  endingOf(body: JsonObject): ResponseEnding;
  openDecoder(): AnswerDecoder;
  /** One short request (S1-38). */
  ping(model: string): object;
}
