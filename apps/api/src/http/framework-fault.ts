import { HttpException } from '@nestjs/common';
import { isError } from '#libs/kernel';
import { PROTOCOL_FAULTS, type FaultWords } from '#libs/http-server';
import { EncodedBodyException } from './encoded-body.js';
import { LONG_BODIES, MAX_LONG_BODY_BYTES } from './body-limits.js';
import { MAX_BODY_BYTES } from './json-body.js';

/** Answer to an error: status, stable code, and text for people. */
export interface Fault extends FaultWords {
  readonly status: number;
}

const FAULTS: Readonly<Record<number, FaultWords>> = {
  400: PROTOCOL_FAULTS[400],
  403: { code: 'DENIED', detail: 'this is not allowed' },
  404: PROTOCOL_FAULTS[404],
  405: {
    code: 'METHOD_NOT_ALLOWED',
    detail: 'this path does not support this method; the header Allow lists the supported ones',
  },
  408: PROTOCOL_FAULTS[408],
  413: {
    code: 'BODY_TOO_LARGE',
    detail: `the body must be at most ${MAX_BODY_BYTES} bytes (1 MiB); at ${LONG_BODIES}/ it may be ${MAX_LONG_BODY_BYTES}`,
  },
  414: PROTOCOL_FAULTS[414],
  415: {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    detail: 'Content-Type must be application/json, or multipart/form-data for a file',
  },
  503: { code: 'UNAVAILABLE', detail: 'the service cannot answer at the moment; try again later' },
};

/** No client is left to read this answer; the status only keeps it out of the server errors. */
const BROKEN_OFF: Fault = {
  status: 400,
  code: 'REQUEST_ABORTED',
  detail: 'the connection ended before the body was complete',
};

const ENCODED: Fault = {
  status: 415,
  code: 'UNSUPPORTED_MEDIA_TYPE',
  detail: 'the body must not be compressed: omit Content-Encoding',
};

/** Replaces errors of Nest or Fastify by this API's codes and texts; null for other errors. */
export function readFrameworkFault(error: unknown): Fault | null {
  if (isBrokenOff(error)) return BROKEN_OFF;
  if (error instanceof EncodedBodyException) return ENCODED;
  const status = statusOf(error);
  const fault = status === null ? undefined : FAULTS[status];
  return status === null || fault === undefined ? null : { status, ...fault };
}

/** The error of `node:http` for a client that disconnects during its request. */
function isBrokenOff(error: unknown): boolean {
  return isError(error) && error.message === 'aborted' && 'code' in error && error.code === 'ECONNRESET';
}

function statusOf(error: unknown): number | null {
  if (error instanceof HttpException) return error.getStatus();
  const isFastifyError = error instanceof Error && error.name === 'FastifyError';
  return isFastifyError && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : null;
}
