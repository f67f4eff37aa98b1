import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.js';
import { MAX_BODY_BYTES } from './json-body.js';
import { errorReply } from './reply.js';

/** Answers errors outside an exchange; the text of an unexpected error is not sent. */
export function handleError(
  error: FastifyError | ApiError,
  _request: FastifyRequest,
  reply: FastifyReply,
): void {
  sendError(reply, toApiError(error));
}

/** 404 for an unknown path. */
export function handleNotFound(request: FastifyRequest, reply: FastifyReply): void {
  const message = `Invalid URL (${request.method} ${request.url.split('?')[0] ?? ''})`;
  sendError(
    reply,
    new ApiError(404, { message, type: 'invalid_request_error', param: null, code: 'unknown_url' }),
  );
}

function sendError(reply: FastifyReply, error: ApiError): void {
  const { status, contentType, body } = errorReply(error);
  reply.status(status).header('content-type', contentType).send(body);
}

function toApiError(error: FastifyError | ApiError): ApiError {
  if (error instanceof ApiError) return error;
  if (error.statusCode === 413) {
    const message = `The request body is larger than ${MAX_BODY_BYTES} bytes.`;
    return new ApiError(413, {
      message,
      type: 'invalid_request_error',
      param: null,
      code: 'request_too_large',
    });
  }
  if (error.statusCode !== undefined && error.statusCode < 500) {
    const message = 'The request could not be read.';
    return new ApiError(error.statusCode, {
      message,
      type: 'invalid_request_error',
      param: null,
      code: null,
    });
  }
  const message = 'The simulator itself failed: this is a defect, not a simulated fault.';
  return new ApiError(500, { message, type: 'server_error', param: null, code: 'simulator_defect' });
}
