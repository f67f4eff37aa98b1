import { invalidRequest } from './api-error.js';

/** Maximum body in bytes, far above the context of a model. */
export const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** A request body: its text, and its value if it is JSON. */
export type JsonBody =
  | { readonly text: string; readonly isJson: true; readonly value: unknown }
  | { readonly text: string; readonly isJson: false };

/** Reads a body without validating it. */
export function readJsonBody(body: unknown): JsonBody {
  const text = typeof body === 'string' ? body : '';
  try {
    return { text, isJson: true, value: JSON.parse(text) };
  } catch {
    return { text, isJson: false };
  }
}

/** The value of a body that must be a JSON object. Throws the 400 of the real API. */
export function jsonValue(body: JsonBody): unknown {
  if (body.isJson && typeof body.value === 'object' && body.value !== null && !Array.isArray(body.value))
    return body.value;
  throw invalidRequest(
    'We could not parse the JSON body of your request. The API expects a JSON payload: a JSON object, sent with ' +
      'content-type application/json.',
    null,
  );
}
