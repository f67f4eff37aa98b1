/** Error object of OpenAI's API, in the body's `error`. */
export interface ApiErrorBody {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
}

/** A refusal in the shape of OpenAI's API: an HTTP status and `{"error": {message, type, param, code}}`. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly body: ApiErrorBody,
  ) {
    super(body.message);
    this.name = 'ApiError';
  }
}

/** 400 for a request that the real API would refuse, too; `param` is the path of the field, or null. */
export function invalidRequest(message: string, param: string | null, code: string | null = null): ApiError {
  return new ApiError(400, { message, type: 'invalid_request_error', param, code });
}

/** 404 for a model that this server lacks. */
export function modelNotFound(model: string): ApiError {
  const message = `The model '${model}' does not exist or you do not have access to it.`;
  return new ApiError(404, {
    message,
    type: 'invalid_request_error',
    param: 'model',
    code: 'model_not_found',
  });
}

/** 404 for an item reference: this server stores no responses. */
export function itemNotFound(itemId: string): ApiError {
  const message =
    `Item with id '${itemId}' not found. Items are not persisted when \`store\` is set to false. ` +
    'Try again with `store` set to true, or remove this item from your input.';
  return new ApiError(404, { message, type: 'invalid_request_error', param: 'input', code: null });
}
