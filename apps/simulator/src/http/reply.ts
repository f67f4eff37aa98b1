import type { ApiError } from './api-error.js';

/** A complete HTTP answer. */
export interface Reply {
  readonly status: number;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A JSON answer. */
export function jsonReply(status: number, value: unknown): Reply {
  return { status, contentType: 'application/json', headers: {}, body: JSON.stringify(value) };
}

/** An error in the shape of OpenAI's API. */
export function errorReply(error: ApiError): Reply {
  return jsonReply(error.status, { error: error.body });
}
