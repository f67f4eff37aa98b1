import { isJsonObject, type JsonValue } from '#libs/kernel';

/** An outgoing JSON-RPC message of the library, as far as its answer depends on it. */
export interface SentMessage {
  /** Undefined if no answer is expected. */
  readonly id: string | number | undefined;
  readonly isNotification: boolean;
}

/** @param body of a request of the library: the JSON of one message; anything else has no id */
export function readSent(body: unknown): SentMessage {
  const message = typeof body === 'string' ? (JSON.parse(body) as JsonValue) : null;
  if (!isJsonObject(message)) return { id: undefined, isNotification: false };
  const { id, method } = message;
  const isId = typeof id === 'string' || typeof id === 'number';
  return { id: isId && method !== undefined ? id : undefined, isNotification: method !== undefined && !isId };
}
